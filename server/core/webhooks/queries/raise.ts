import type { WebhookEvent } from '#contract/webhooks/webhook.ts'
import type { Db } from '#server/house/db/pool.ts'
import { raisesHooks } from './raise-sql.ts'

export async function raiseHook(
  tx: Db,
  told: { userId: number; event: WebhookEvent; subject: string; details: Record<string, unknown>; now: Date },
): Promise<void> {
  await tx.query({
    name: 'webhook-raise',
    text: `SELECT ${raisesHooks({ event: '$event::text', subject: '$subject::text', details: '$details::jsonb' })}
      FROM (VALUES ($userId::integer)) o (user_id)`,
    values: { ...told, details: JSON.stringify(told.details) },
  })
}
