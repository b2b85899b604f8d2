import { setTimeout as wait } from 'node:timers/promises'
import { HOUR } from '#contract/time.ts'
import { notify } from '#server/core/notifications/notify.ts'
import { switchOff } from '#server/core/webhooks/queries/endpoints.ts'
import { type Failing, restUntil, storeTryResults, type TryResult } from '#server/core/webhooks/queries/sending.ts'
import type { Context } from '#server/house/context.ts'
import { isDatabaseAway } from '#server/house/db/constraint.ts'
import { transaction } from '#server/house/db/transaction.ts'
import { webhookPostOf } from './post.ts'
import { OFF_AFTER_FAILURES, OFF_AFTER_MS, restMs } from './schedule.ts'

const GONE = 410

/** Stores the results of tries, in batches. A delivery whose result is lost is sent again. */
export async function storeEnded(ctx: Context): Promise<void> {
  const post = webhookPostOf(ctx)
  if (post.storing !== null || post.ended.length === 0) return post.storing ?? undefined
  post.storing = storeAll(ctx)
  await post.storing
}

async function storeAll(ctx: Context): Promise<void> {
  const post = webhookPostOf(ctx)
  while (post.ended.length > 0) await storeBatch(ctx, post.ended.splice(0))
  // The loop check and this reset have no `await` between them, so a later result starts a new run.
  post.storing = null
}

async function storeBatch(ctx: Context, batch: readonly TryResult[]): Promise<void> {
  const post = webhookPostOf(ctx)
  try {
    const failing = await settle(ctx, batch)
    const gone = new Set(batch.filter(({ status }) => status === GONE).map(({ endpointId }) => endpointId))
    for (const one of failing) await judge(ctx, one, gone.has(one.id))
  } catch (error) {
    ctx.log.warn({ error, deliveries: batch.length }, 'ends of webhooks are not stored: they are sent again')
    await pause(ctx)
  } finally {
    for (const { id, tookMs } of batch) post.hands.release(id, tookMs)
    post.noteStored()
  }
}

/**
 * Stores results, and retries during an outage of the database. Meanwhile their deliveries keep their slots. Throws any
 * other error, and throws at a stop.
 */
async function settle(ctx: Context, batch: readonly TryResult[]): Promise<Failing[]> {
  for (;;) {
    try {
      return await storeTryResults(ctx.db, batch)
    } catch (error) {
      if (webhookPostOf(ctx).stopped.signal.aborted || !isDatabaseAway(error)) throw error
      await pause(ctx)
    }
  }
}

async function pause(ctx: Context): Promise<void> {
  const { storeAgainMs, stopped } = webhookPostOf(ctx)
  await wait(storeAgainMs, undefined, { signal: stopped.signal }).catch(() => undefined)
}

async function judge(ctx: Context, { id, failures, failing_since: since }: Failing, isGone: boolean): Promise<void> {
  const now = ctx.clock.now()
  if (isGone) return turnOff(ctx, id, 'gone')
  if (failures >= OFF_AFTER_FAILURES && now.getTime() - since.getTime() >= OFF_AFTER_MS) {
    return turnOff(ctx, id, 'failing')
  }
  const rest = restMs(failures)
  if (rest > 0) await restUntil(ctx.db, { id, until: new Date(now.getTime() + rest) })
}

async function turnOff(ctx: Context, id: number, reason: 'failing' | 'gone'): Promise<void> {
  const now = ctx.clock.now()
  await transaction(ctx.db, async (tx) => {
    const off = await switchOff(tx, { id, reason })
    if (off === null) return
    await notify(
      tx,
      {
        userId: off.owner_id,
        kind: 'webhook-off',
        details: { label: off.label, host: off.host, reason, ...(off.sandbox && { sandbox: true as const }) },
        link: '/settings/api',
        dedupeKey: `webhook:${id}:${off.sandbox ? hourOf(now) : now.getTime()}`,
      },
      now,
    )
  })
}

/** Returns the number of the hour. The owner of a sandbox endpoint is notified of failures at most once an hour. */
function hourOf(now: Date): number {
  return Math.floor(now.getTime() / HOUR)
}
