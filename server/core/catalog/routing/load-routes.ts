import { DAY } from '#contract/time.ts'
import { listRecentOutcomes } from '#server/core/catalog/health/queries/outcomes.ts'
import { listRecentRents } from '#server/core/catalog/offers/outcome-queries.ts'
import { listSupplierRows } from '#server/core/catalog/offers/queries.ts'
import type { Context } from '#server/house/context.ts'
import { routeBookOf } from './route-book.ts'

export async function loadRouteRules(ctx: Context): Promise<void> {
  const rows = await listSupplierRows(ctx.db)
  routeBookOf(ctx).setRules(
    new Map(rows.map((row) => [row.id, { weightPercent: row.weight_percent, perMinute: row.purchases_per_minute }])),
  )
}

/**
 * Learns the outcomes of suppliers from stored orders at the start, because the previous process kept them in memory.
 */
export async function learnRoutes(ctx: Context): Promise<void> {
  const now = ctx.clock.now()
  const since = new Date(now.getTime() - DAY)
  const supplierIds = (await listSupplierRows(ctx.db)).map(({ id }) => id)
  for (const outcome of await listRecentRents(ctx.db, since)) {
    routeBookOf(ctx).note({ ...outcome, purchases: 1, codes: outcome.coded ? 1 : 0, rented: true, now })
  }
  for (const row of await listRecentOutcomes(ctx.db, { supplierIds, since })) {
    const pair = { supplierId: row.supplier_id, serviceCode: row.service_code, countryId: row.country_id }
    const logSeconds = row.log_seconds ?? 0
    routeBookOf(ctx).note({
      ...pair,
      userId: row.user_id,
      purchases: 1,
      codes: row.coded === true ? 1 : 0,
      logSeconds,
      now,
    })
  }
}
