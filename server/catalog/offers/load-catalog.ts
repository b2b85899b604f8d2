import { DAY } from '#contract/time.ts'
import type { Context } from '#server/context.ts'
import { StartRefused } from '#server/start-refused.ts'
import {
  findUsdRate,
  listCountryRows,
  listOutcomes,
  listPriceRules,
  listServiceRows,
  listSupplierRows,
} from './queries.ts'

export const MEASURED_MS = 7 * DAY

/** Suppliers bring the offers themselves (refresh-offers.ts). */
export async function loadCatalog(ctx: Pick<Context, 'db' | 'clock' | 'catalog' | 'rentCatalog'>): Promise<void> {
  const since = new Date(ctx.clock.now().getTime() - MEASURED_MS)
  // Sequential, because parallel reads would take most of the pool.
  const services = await listServiceRows(ctx.db)
  const countries = await listCountryRows(ctx.db)
  const suppliers = await listSupplierRows(ctx.db)
  const rules = await listPriceRules(ctx.db)
  const rubMicrosPerUsd = await findUsdRate(ctx.db)
  const outcomes = await listOutcomes(ctx.db, since)
  // Without a rate no price in the other currency is known.
  if (rubMicrosPerUsd === null)
    throw new StartRefused('there is no exchange rate: set one with `npm run cli -- rate:set usd …`')
  const activeSupplierIds = suppliers.filter((row) => row.paused_at === null).map((row) => row.id)
  const facts = { services, countries, rules, outcomes, rates: { rubMicrosPerUsd }, activeSupplierIds }
  ctx.catalog.load(facts)
  ctx.rentCatalog.load(facts)
}
