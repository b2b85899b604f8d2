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

/** Learns the outcomes of suppliers anew from stored orders, at the start and from orders that another node counted. */
export async function learnRoutes(ctx: Context): Promise<void> {
  const now = ctx.clock.now()
  const since = new Date(now.getTime() - DAY)
  const supplierIds = (await listSupplierRows(ctx.db)).map(({ id }) => id)
  const rents = await listRecentRents(ctx.db, since)
  const outcomes = await listRecentOutcomes(ctx.db, { supplierIds, since })
  const book = routeBookOf(ctx)
  book.forgetOutcomes()
  for (const { coded, ...rent } of rents) {
    book.note({ ...rent, purchases: 1, codes: coded ? 1 : 0, rented: true, now })
  }
  for (const row of outcomes) {
    const pair = { supplierId: row.supplier_id, serviceCode: row.service_code, countryId: row.country_id }
    const logSeconds = row.log_seconds ?? 0
    book.note({ ...pair, userId: row.user_id, purchases: 1, codes: row.coded === true ? 1 : 0, logSeconds, now })
  }
}
