import { HOUR, MINUTE, SECOND } from '#contract/time.ts'
import { closeStaleSockets } from '#server/core/accounts/api-keys/close-stale-sockets.ts'
import { sweepOverlaps } from '#server/core/accounts/api-keys/end-overlaps.ts'
import { flushKeyCalls } from '#server/core/accounts/api-keys/flush-calls.ts'
import { closeEndedSockets } from '#server/core/accounts/sessions/close-ended-sockets.ts'
import { type BooksWatch, watchBooks } from '#server/core/alarms/watch-books.ts'
import { watchService } from '#server/core/alarms/watch-service.ts'
import { flushHealth } from '#server/core/catalog/health/flush-health.ts'
import { readBalances } from '#server/core/catalog/health/read-balances.ts'
import { loadCatalog } from '#server/core/catalog/offers/load-catalog.ts'
import { raiseCatalogVersion } from '#server/core/catalog/offers/queries.ts'
import { createRefreshSchedule, type RefreshSchedule } from '#server/core/catalog/offers/refresh-schedule.ts'
import { learnRoutes } from '#server/core/catalog/routing/load-routes.ts'
import { loadHealth } from '#server/core/catalog/standing/load-health.ts'
import { tryAgain } from '#server/core/catalog/standing/try-again.ts'
import { learnSenders } from '#server/core/numbers/messages/learn-senders.ts'
import { rollUp } from '#server/core/numbers/statistics/roll-up.ts'
import { ANY_WEBHOOK_DUE } from '#server/core/webhooks/queries/sending.ts'
import { webhookPostOf } from '#server/core/webhooks/sending/post.ts'
import type { Context } from '#server/house/context.ts'
import { cleanUp } from '#server/house/jobs/clean-up.ts'
import { type Loop, startLoop } from '#server/house/jobs/loop.ts'
import { type PeriodicTask, startPeriodicTasks } from '#server/house/jobs/periodic-tasks.ts'
import { tellNodes } from '#server/house/news/tell.ts'
import { holdsLease, isTogether } from '#server/house/nodes/node.ts'
import { type Work, whileHeld } from '#server/house/nodes/work.ts'
import { fetchRates } from '#server/house/rates/fetch-rates.ts'
import { followStatus } from '#server/surfaces/site/status/follow-status.ts'
import { followChanges } from './follow-changes.ts'
import { followMoney } from './follow-money.ts'
import { startHearing } from './news/start-hearing.ts'
import { sweepsOf } from './recover-left.ts'
import { followRoles } from './start-suppliers.ts'

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
  const loop = (name: string, everyMs: number, work: () => Promise<unknown>, lease?: Work) =>
    startLoop(ctx.log, { name, everyMs, work: whileHeld(ctx, lease, work) })
  const looks = startPeriodicTasks(ctx, looksOf(ctx, follow))
  const hearing = startHearing(ctx, looks.wake)
  return [
    looks,
    { stop: async () => hearing[Symbol.dispose]() },
    ...sweepsOf(ctx).flatMap(({ due, name, everyMs, work, lease }) =>
      due === undefined ? [loop(name, everyMs, work, lease)] : [],
    ),
    ...(ctx.replica === null
      ? []
      : [loop('stand-bys', SECOND / 2, async () => ctx.replica?.look(() => ctx.clock.now()))]),
    loop('roles', SECOND / 2, () => followRoles(ctx)),
    loop('offers', SECOND, async () => follow.offers.look()),
    loop('health', 5 * SECOND, () => followHealth(ctx)),
    loop('supplier calls', 10 * SECOND, () => flushHealth(ctx)),
    loop('balances', MINUTE, () => readBalances(ctx), 'house'),
    loop('rates', MINUTE, () => followRates(ctx), 'house'),
    loop('senders', MINUTE, () => learnSenders(ctx)),
    loop('key calls', 10 * SECOND, () => flushKeyCalls(ctx)),
    loop('key overlaps', 10 * SECOND, () => sweepOverlaps(ctx), 'house'),
    loop('key sockets', 10 * SECOND, () => closeStaleSockets(ctx)),
    loop('session sockets', 10 * SECOND, () => closeEndedSockets(ctx)),
    loop('outcomes', MINUTE, () => rollUp(ctx), 'house'),
    loop('outcomes of others', 10 * MINUTE, () => followOutcomes(ctx)),
    loop('books', HOUR, () => follow.books.look(), 'house'),
    loop('status', 15 * SECOND, () => followStatus(ctx)),
    loop('alarms', 15 * SECOND, () => watchService(ctx), 'house'),
    loop('clean-up', HOUR, () => cleanUp(ctx), 'house'),
  ]
}

/** Lists the periodic tasks that mostly have nothing to do. A single SQL statement each second checks them all. */
export function looksOf(ctx: Context, { changes, money }: Pick<Follow, 'changes' | 'money'>): PeriodicTask[] {
  return [
    { name: 'changes', everyMs: SECOND, work: changes, due: changes.due, values: changes.values, isDue: changes.isDue },
    { name: 'money', everyMs: SECOND, work: money, due: money.due, values: money.values },
    { name: 'webhooks', everyMs: SECOND, work: async () => webhookPostOf(ctx).wake(), due: ANY_WEBHOOK_DUE },
    ...sweepsOf(ctx).flatMap(({ due, lease, ...sweep }) =>
      due === undefined ? [] : [{ ...sweep, due, work: whileHeld(ctx, lease, sweep.work) }],
    ),
  ]
}

/** Standings are read even without news, because Redis may be away, or the node that changed one may have died. */
export async function followHealth(ctx: Context): Promise<void> {
  if (isTogether(ctx)) await loadHealth(ctx)
  await tryAgain(ctx)
}

/** The node that counts outcomes acts on each minute's. The others read the week's counts, which are long, now and then. */
export async function followOutcomes(ctx: Context): Promise<void> {
  if (holdsLease(ctx, 'house')) return
  await loadCatalog(ctx)
  await learnRoutes(ctx)
}

/** A fetched rate changes prices, as `rate:set` does, so the catalogue must be reloaded. */
async function followRates(ctx: Context): Promise<void> {
  if (!(await fetchRates(ctx))) return
  await raiseCatalogVersion(ctx.db, ctx.clock.now())
  tellNodes(ctx, { kind: 'catalogue-changed' })
}
