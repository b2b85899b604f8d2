import { DAY } from '#contract/time.ts'
import {
  findNextRuleChange,
  findRoundings,
  listFullPromotions,
  listRulesAt,
} from '#server/core/catalog/rules/rule-queries.ts'
import type { Context } from '#server/house/context.ts'
import { runYielding } from '#server/house/jobs/run-yielding.ts'
import { perContext } from '#server/house/memory.ts'
import { sandboxOf, sandboxSupplyOf } from '#server/house/sandbox.ts'
import { StartRefused } from '#server/house/start-refused.ts'
import { catalogOf } from './catalog-index.ts'
import type { CatalogFacts } from './price-offer.ts'
import {
  findCatalogVersion,
  findUsdRate,
  listCountryRows,
  listOutcomes,
  listServiceRows,
  listSupplierRows,
} from './queries.ts'
import { rentCatalogOf } from './rent-index.ts'

export const MEASURED_MS = 7 * DAY

const loadsOf = perContext(
  'load of the catalog',
  { scope: 'process', nodes: 'own', lost: 'nothing: the start loads it' },
  (): { last: Promise<void> } => ({ last: Promise.resolve() }),
)

/**
 * Loads the catalogue except for offers, which suppliers send themselves. Loads run one after another, so that a load
 * with older prices never overwrites a load with newer prices.
 */
export function loadCatalog(ctx: Context): Promise<void> {
  const loads = loadsOf(ctx)
  const load = loads.last.then(
    () => loadNow(ctx),
    () => loadNow(ctx),
  )
  loads.last = load
  return load
}

async function loadNow(ctx: Context): Promise<void> {
  const now = ctx.clock.now()
  const since = new Date(now.getTime() - MEASURED_MS)
  // Only the longest read runs in parallel with the others, because more parallel reads would take most of the pool.
  const outcomesRead = listOutcomes(ctx.db, since)
  // If `outcomesRead` and another read fail, only one failure is reported, because the failures have the same cause.
  outcomesRead.catch(() => undefined)
  const services = await listServiceRows(ctx.db)
  const countries = await listCountryRows(ctx.db)
  const suppliers = await listSupplierRows(ctx.db)
  const rules = await listRulesAt(ctx.db, now)
  const promotionIds = rules.flatMap(({ promotion_id: id }) => id ?? [])
  const fullPromotions = promotionIds.length === 0 ? [] : await listFullPromotions(ctx.db, { ids: promotionIds, now })
  const rulesUntil = await findNextRuleChange(ctx.db, now)
  const rounding = await findRoundings(ctx.db)
  const rubMicrosPerUsd = await findUsdRate(ctx.db)
  const outcomes = await outcomesRead
  // The server does not start without an exchange rate, because it could not convert prices in dollars and roubles.
  if (rubMicrosPerUsd === null)
    throw new StartRefused('there is no exchange rate: set one with `npm run cli -- rate:set usd …`')
  const activeSupplierIds = suppliers.filter((row) => row.paused_at === null).map((row) => row.id)
  const terms = { rates: { rubMicrosPerUsd }, rounding }
  const facts = { services, countries, rules, outcomes, rulesUntil, fullPromotions, terms, activeSupplierIds }
  await runYielding(catalogOf(ctx).loadInPieces(facts))
  await runYielding(rentCatalogOf(ctx).loadInPieces(facts))
  await loadSandbox(ctx, facts)
}

/**
 * Loads the sandbox catalogue, without promotions. Does nothing if only outcomes of purchases have changed, because the
 * sandbox prices do not depend on them, and pricing takes a tenth of a second.
 */
async function loadSandbox(ctx: Context, facts: CatalogFacts): Promise<void> {
  const supply = sandboxSupplyOf(ctx)
  if (supply.pricedBy === null) return
  const { version } = await findCatalogVersion(ctx.db)
  const pricedBy = `${version} until ${facts.rulesUntil?.getTime()}`
  if (supply.pricedBy === pricedBy) return
  supply.pricedBy = pricedBy
  const rules = facts.rules.filter(({ promotion_id: id }) => id === null)
  const activeSupplierIds = supply.supplierId === null ? [] : [supply.supplierId]
  const own = { ...facts, rules, outcomes: [], fullPromotions: [], activeSupplierIds }
  const play = sandboxOf(ctx)
  await runYielding(catalogOf(play).loadInPieces(own))
  await runYielding(rentCatalogOf(play).loadInPieces(own))
}
