import { HOUR, MINUTE, SECOND } from '#contract/time.ts'
import { closeStaleSockets } from '#server/core/accounts/api-keys/close-stale-sockets.ts'
import { sweepOverlaps } from '#server/core/accounts/api-keys/end-overlaps.ts'
import { flushKeyCalls } from '#server/core/accounts/api-keys/flush-calls.ts'
import { closeEndedSockets } from '#server/core/accounts/sessions/close-ended-sockets.ts'
import { type BooksWatch, watchBooks } from '#server/core/alarms/watch-books.ts'
import { watchService } from '#server/core/alarms/watch-service.ts'
import { flushHealth } from '#server/core/catalog/health/flush-health.ts'
import { readBalances } from '#server/core/catalog/health/read-balances.ts'
import { raiseCatalogVersion } from '#server/core/catalog/offers/queries.ts'
import { createRefreshSchedule, type RefreshSchedule } from '#server/core/catalog/offers/refresh-schedule.ts'
import { tryAgain } from '#server/core/catalog/standing/try-again.ts'
import { learnSenders } from '#server/core/numbers/messages/learn-senders.ts'
import { rollUp } from '#server/core/numbers/statistics/roll-up.ts'
import { ANY_WEBHOOK_DUE } from '#server/core/webhooks/queries/sending.ts'
import { webhookPostOf } from '#server/core/webhooks/sending/post.ts'
import type { Context } from '#server/house/context.ts'
import { cleanUp } from '#server/house/jobs/clean-up.ts'
import { type Loop, startLoop } from '#server/house/jobs/loop.ts'
import { type PeriodicTask, startPeriodicTasks } from '#server/house/jobs/periodic-tasks.ts'
import { fetchRates } from '#server/house/rates/fetch-rates.ts'
import { followChanges } from './follow-changes.ts'
import { followMoney } from './follow-money.ts'
import { sweepsOf } from './recover-left.ts'

/**
 * The functions that apply changes made by other processes. They are created before data is loaded, so that no change
 * is missed.
 */
export type Follow = {
  changes: Awaited<ReturnType<typeof followChanges>>
  money: Awaited<ReturnType<typeof followMoney>>
  books: BooksWatch
  offers: RefreshSchedule
}

export async function beginFollowing(ctx: Context): Promise<Follow> {
  const offers = createRefreshSchedule(ctx)
  const changes = await followChanges(ctx, async () => offers.hasten())
  return { changes, money: await followMoney(ctx), books: watchBooks(ctx), offers }
}

export function startLoops(ctx: Context, follow: Follow): Loop[] {
  const loop = (name: string, everyMs: number, work: () => Promise<unknown>) =>
    startLoop(ctx.log, { name, everyMs, work })
  return [
    startPeriodicTasks(ctx, looksOf(ctx, follow)),
    ...sweepsOf(ctx).flatMap(({ due, ...sweep }) => (due === undefined ? [startLoop(ctx.log, sweep)] : [])),
    loop('offers', SECOND, async () => follow.offers.look()),
    loop('health', 5 * SECOND, () => tryAgain(ctx)),
    loop('supplier calls', 10 * SECOND, () => flushHealth(ctx)),
    loop('balances', MINUTE, () => readBalances(ctx)),
    loop('rates', MINUTE, () => followRates(ctx)),
    loop('senders', MINUTE, () => learnSenders(ctx)),
    loop('key calls', 10 * SECOND, () => flushKeyCalls(ctx)),
    loop('key overlaps', 10 * SECOND, () => sweepOverlaps(ctx)),
    loop('key sockets', 10 * SECOND, () => closeStaleSockets(ctx)),
    loop('session sockets', 10 * SECOND, () => closeEndedSockets(ctx)),
    loop('outcomes', MINUTE, () => rollUp(ctx)),
    loop('books', HOUR, () => follow.books.look()),
    loop('alarms', 15 * SECOND, () => watchService(ctx)),
    loop('clean-up', HOUR, () => cleanUp(ctx)),
  ]
}

/** Lists the periodic tasks that mostly have nothing to do. A single SQL statement each second checks them all. */
export function looksOf(ctx: Context, { changes, money }: Pick<Follow, 'changes' | 'money'>): PeriodicTask[] {
  return [
    { name: 'changes', everyMs: SECOND, work: changes, due: changes.due, values: changes.values, isDue: changes.isDue },
    { name: 'money', everyMs: SECOND, work: money, due: money.due, values: money.values },
    { name: 'webhooks', everyMs: SECOND, work: async () => webhookPostOf(ctx).wake(), due: ANY_WEBHOOK_DUE },
    ...sweepsOf(ctx).flatMap(({ due, ...sweep }) => (due === undefined ? [] : [{ ...sweep, due }])),
  ]
}

/** A fetched rate changes prices, as `rate:set` does, so the catalogue must be reloaded. */
async function followRates(ctx: Context): Promise<void> {
  if (await fetchRates(ctx)) await raiseCatalogVersion(ctx.db, ctx.clock.now())
}
