import { setTimeout as wait } from 'node:timers/promises'
import { MINUTE } from '#contract/time.ts'
import { type DueDelivery, listBusy, listDue } from '#server/core/webhooks/queries/sending.ts'
import type { Context } from '#server/house/context.ts'
import { holdsLease } from '#server/house/nodes/node.ts'
import { webhookPostOf } from './post.ts'
import { nextTry } from './schedule.ts'
import { MOST_PER_ENDPOINT, SLOW_FROM_MS } from './sending-slots.ts'
import { storeEnded } from './store-ended.ts'
import { type Outcome, tryDelivery } from './try-delivery.ts'

const ENDPOINTS = 128
/** The longest time between checks, because the signal of a new delivery may be missed. */
const LOOK_EVERY_MS = MINUTE
/** The pause after each check for due deliveries, so that the next check finds many changes at once. */
const PAUSE_MS = 20

/** Sends due deliveries until stopped. The next process repeats requests that run at a stop, with equal ids. */
export function startWebhooks(ctx: Context): { stop(): Promise<void> } {
  const post = webhookPostOf(ctx)
  const { stopped } = post
  const running = (async () => {
    while (!stopped.signal.aborted) {
      const woken = post.nextWake()
      await beginDue(ctx, stopped.signal).catch((error: unknown) =>
        ctx.log.error({ error }, 'webhooks could not be looked for'),
      )
      await pause(PAUSE_MS, stopped.signal)
      await Promise.race([woken, pause(LOOK_EVERY_MS, stopped.signal)])
    }
  })()
  return {
    async stop() {
      stopped.abort()
      for (const cut of post.cuts) cut.abort()
      await running
      await post.idle()
      post.closeConnections()
    },
  }
}

/** Sends all due deliveries, for tests. Resolves when they, and those that became due meanwhile, have been tried. */
export async function sendDue(ctx: Context): Promise<void> {
  const never = new AbortController()
  while ((await beginDue(ctx, never.signal)) > 0) await webhookPostOf(ctx).idle()
}

/** Checks all endpoints once, from where the last check ended. Returns the number of started requests. */
async function beginDue(ctx: Context, signal: AbortSignal): Promise<number> {
  if (!holdsLease(ctx, 'webhooks')) return 0
  const post = webhookPostOf(ctx)
  const isWithin = post.after > 0
  const begun = await beginFrom(ctx, signal)
  return isWithin && post.after === 0 ? begun + (await beginFrom(ctx, signal)) : begun
}

async function beginFrom(ctx: Context, signal: AbortSignal): Promise<number> {
  const post = webhookPostOf(ctx)
  let begun = 0
  while (!post.hands.isFull && !signal.aborted) {
    const ids = await listBusy(ctx.db, { after: post.after, limit: ENDPOINTS })
    begun += await beginAt(ctx, ids, signal)
    post.after = ids.length < ENDPOINTS ? 0 : (ids.at(-1) ?? 0)
    if (post.after === 0) break
  }
  return begun
}

async function beginAt(ctx: Context, ids: readonly number[], signal: AbortSignal): Promise<number> {
  const { hands } = webhookPostOf(ctx)
  const closed = hands.closed()
  const full = new Set(closed.endpoints)
  const endpoints = ids.filter((id) => !full.has(id))
  if (endpoints.length === 0) return 0
  const rows = await listDue(ctx.db, {
    endpoints,
    closedHosts: closed.hosts,
    free: hands.closedTo('free', endpoints),
    play: hands.closedTo('play', endpoints),
    sending: hands.sending,
    perEndpoint: Math.min(MOST_PER_ENDPOINT, Math.ceil((2 * hands.free) / endpoints.length)),
    now: ctx.clock.now(),
  })
  if (signal.aborted) return 0
  const taken = hands.leastRecentFirst(rows).filter((row) => hands.take(row))
  for (const row of taken) ctx.background.run('webhook', () => run(ctx, row, signal))
  return taken.length
}

async function run(ctx: Context, due: DueDelivery, signal: AbortSignal): Promise<void> {
  const post = webhookPostOf(ctx)
  const cut = new AbortController()
  post.cuts.add(cut)
  const slow = setTimeout(() => {
    const became = post.hands.slowDown(due.id)
    if (became === 'moved') post.wake()
    if (became === 'over') cut.abort()
  }, SLOW_FROM_MS)
  try {
    const outcome = await tryDelivery(ctx, due, cut.signal)
    // An abort by a stop is not a failure of the endpoint.
    if (signal.aborted && !outcome.ok) return forget(ctx, due.id)
    note(ctx, due, outcome)
  } catch (error) {
    forget(ctx, due.id)
    throw error
  } finally {
    clearTimeout(slow)
    post.cuts.delete(cut)
  }
  await storeEnded(ctx)
}

function note(ctx: Context, due: DueDelivery, outcome: Outcome): void {
  const { ok, status } = outcome
  const at = ctx.clock.now()
  const nextAt = ok || status === 410 ? null : nextTry(due.form, due.tries + 1, at)
  const { id, endpoint_id: endpointId, round, tries } = due
  webhookPostOf(ctx).ended.push({ ...outcome, id, endpointId, round, tries, at, nextAt })
}

function forget(ctx: Context, id: bigint): void {
  const post = webhookPostOf(ctx)
  post.hands.release(id, 0)
  post.noteStored()
}

/** Waits for `ms`, or until a stop, which alone aborts the wait; the callers check the signal next. */
async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await wait(ms, undefined, { signal }).catch(() => undefined)
}
