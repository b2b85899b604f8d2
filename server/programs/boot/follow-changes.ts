import { MINUTE } from '#contract/time.ts'
import { dropRevokedSince } from '#server/core/accounts/api-keys/end-overlaps.ts'
import { listShutOutSince } from '#server/core/accounts/users/queries.ts'
import { catalogOf } from '#server/core/catalog/offers/catalog-index.ts'
import { loadCatalog } from '#server/core/catalog/offers/load-catalog.ts'
import { CATALOG_CHANGED, findCatalogVersion } from '#server/core/catalog/offers/queries.ts'
import { refreshSoon } from '#server/core/catalog/offers/refresh-schedule.ts'
import { followPromotions } from '#server/core/catalog/prices/follow-promotions.ts'
import { loadRouteRules } from '#server/core/catalog/routing/load-routes.ts'
import { loadHealth } from '#server/core/catalog/standing/load-health.ts'
import { loadSenders } from '#server/core/numbers/messages/load-senders.ts'
import { senderBookOf } from '#server/core/numbers/messages/sender-book.ts'
import { buyingOf } from '#server/core/numbers/sourcing/buying-stopped.ts'
import { suppliersOf } from '#server/core/suppliers/running-suppliers.ts'
import type { Context } from '#server/house/context.ts'
import type { PeriodicTask } from '#server/house/jobs/periodic-tasks.ts'
import { followGateways } from './start-gateways.ts'
import { fillSandbox } from './start-sandbox.ts'
import { followSuppliers, startMissing } from './start-suppliers.ts'

/** How far back the query for newly blocked users looks, because a transaction that blocks a user may commit late. */
const LOOK_BACK_MS = MINUTE

const START_AGAIN_MS = MINUTE

type Following = (() => Promise<void>) & Pick<PeriodicTask, 'due' | 'values' | 'isDue'>

/**
 * Returns a function that applies what CLI commands changed since the function's previous call. `refresh` requests the
 * offers of all suppliers, without waiting for the slowest supplier.
 */
export async function followChanges(
  ctx: Context,
  refresh: () => Promise<void> = () => refreshSoon(ctx, suppliersOf(ctx).all()),
): Promise<Following> {
  let seen = (await findCatalogVersion(ctx.db)).version
  let lookedAt = ctx.clock.now()
  let startedAt = lookedAt
  const startsAgain = (now: Date) => now.getTime() - startedAt.getTime() >= START_AGAIN_MS
  const follow = async () => {
    const now = ctx.clock.now()
    const { version, buyingStopped } = await findCatalogVersion(ctx.db)
    buyingOf(ctx).stopped = buyingStopped
    if (startsAgain(now)) {
      startedAt = now
      if (await startMissing(ctx)) await refresh()
    }
    if (version === seen) {
      if (areRulesOver(ctx)) await loadCatalog(ctx)
      await followPromotions(ctx)
      return
    }
    const since = new Date(lookedAt.getTime() - LOOK_BACK_MS)
    for (const userId of await listShutOutSince(ctx.db, since)) ctx.realtime.closeUser(userId)
    await dropRevokedSince(ctx, since)
    await followGateways(ctx)
    await followSuppliers(ctx)
    await loadCatalog(ctx)
    await fillSandbox(ctx)
    await loadHealth(ctx)
    await loadRouteRules(ctx)
    await loadSenders(ctx)
    senderBookOf(ctx).index()
    await refresh()
    seen = version
    lookedAt = now
  }
  return Object.assign(follow, {
    due: CATALOG_CHANGED,
    values: () => ({ catalogVersion: seen, buyingStopped: buyingOf(ctx).stopped }),
    isDue: () => startsAgain(ctx.clock.now()) || areRulesOver(ctx) || catalogOf(ctx).promotionIds().length > 0,
  })
}

/** Returns true if a scheduled price has begun or ended without a command, so the catalogue must be reloaded. */
function areRulesOver(ctx: Context): boolean {
  const { clock } = ctx
  const { rulesUntil } = catalogOf(ctx)
  return rulesUntil !== null && rulesUntil <= clock.now()
}
