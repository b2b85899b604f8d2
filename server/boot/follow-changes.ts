import { MINUTE } from '#contract/time.ts'
import { dropShut } from '#server/accounts/api-keys/end-overlaps.ts'
import { listShutOutSince } from '#server/accounts/users/queries.ts'
import { loadHealth } from '#server/catalog/health/load-health.ts'
import { loadCatalog } from '#server/catalog/offers/load-catalog.ts'
import { findCatalogVersion } from '#server/catalog/offers/queries.ts'
import { refreshSoon } from '#server/catalog/offers/refresh-schedule.ts'
import { followPromotions } from '#server/catalog/prices/follow-promotions.ts'
import { loadRouteRules } from '#server/catalog/routing/load-routes.ts'
import type { Context } from '#server/context.ts'
import { loadSenders } from '#server/numbers/messages/load-senders.ts'
import { followGateways } from './start-gateways.ts'
import { followSuppliers, startMissing } from './start-suppliers.ts'

/** A block may be committed a little after its timestamp; closing a closed socket again is harmless. */
const LOOK_BACK_MS = MINUTE

/** Between two tries to start a supplier that did not start. */
const START_AGAIN_MS = MINUTE

/** The returned function polls what the command line changed since the last call. */
export async function followChanges(ctx: Context): Promise<() => Promise<void>> {
  let seen = (await findCatalogVersion(ctx.db)).version
  let lookedAt = ctx.clock.now()
  let startedAt = lookedAt
  return async () => {
    const now = ctx.clock.now()
    const { version, buyingStopped } = await findCatalogVersion(ctx.db)
    ctx.buying.stopped = buyingStopped
    if (now.getTime() - startedAt.getTime() >= START_AGAIN_MS) {
      startedAt = now
      await startMissing(ctx)
    }
    if (version === seen) {
      // Scheduled prices begin and end without a command.
      if (ctx.catalog.rulesUntil !== null && ctx.catalog.rulesUntil <= now) await loadCatalog(ctx)
      await followPromotions(ctx)
      return
    }
    const since = new Date(lookedAt.getTime() - LOOK_BACK_MS)
    for (const userId of await listShutOutSince(ctx.db, since)) ctx.realtime.closeUser(userId)
    await dropShut(ctx, since)
    await followGateways(ctx)
    await followSuppliers(ctx)
    await loadCatalog(ctx)
    await loadHealth(ctx)
    await loadRouteRules(ctx)
    await loadSenders(ctx)
    ctx.senders.index()
    await refreshSoon(ctx, ctx.suppliers.all())
    seen = version
    lookedAt = now
  }
}
