import type { WebhookEvent } from '#contract/webhooks/webhook.ts'
import type { Db } from '#server/db/pool.ts'
import { hooksSql } from './raise-sql.ts'

/** In the transaction of the change. */
export async function raiseHook(
  tx: Db,
  told: { userId: number; event: WebhookEvent; subject: string; details: Record<string, unknown>; now: Date },
): Promise<void> {
  await tx.query({
    name: 'webhook-raise',
    text: `WITH told AS (SELECT $userId::integer AS user_id), ${hooksSql({
      source: 'told',
      event: '$event::text',
      subject: '$subject::text',
      details: '$details::jsonb',
    })} SELECT`,
    values: { ...told, details: JSON.stringify(told.details) },
  })
}
