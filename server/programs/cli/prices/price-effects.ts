import { type Currency, toDecimal } from '#contract/money.ts'
import { pairKey } from '#server/core/catalog/offers/offers-by-pair.ts'
import { findUsdRate } from '#server/core/catalog/offers/queries.ts'
import { PriceRules } from '#server/core/catalog/rules/price-rules.ts'
import { findRoundings, listRulesAt } from '#server/core/catalog/rules/rule-queries.ts'
import { convert, type PriceRule, type PriceTerms, sellPrice } from '#server/core/catalog/rules/sell-price.ts'
import type { Db } from '#server/house/db/pool.ts'
import { refuseDoubtful } from '#server/programs/cli/change.ts'
import type { Arguments } from '#server/programs/cli/command.ts'
import { allowComputing, listPairCosts, type PairCost, type PriceScope } from '#server/programs/cli/queries/prices.ts'

/** A price change by more than this percentage must be confirmed. */
const MOST_CHANGED_PERCENT = 30

/** The effect of a rule on the price of a service in a country. `isSold` means that the new price covers the cost. */
export type PriceEffect = {
  serviceCode: string
  countryId: number
  beforeMicros: bigint
  afterMicros: bigint
  /** The change in per cent, rounded away from zero. */
  percent: number
  isSold: boolean
}

/** Effects of new price rules. `pairs` counts all pairs of service and country in stock, changed or not. */
export type PriceEffects = { currency: Currency; pairs: number; changed: PriceEffect[] }

/**
 * Compares the lowest prices of all services and countries in stock before and after a change of price rules. Returns
 * each pair's largest change, the largest first. Must run in the change's transaction. Without an exchange rate nothing
 * is sold or compared.
 */
export async function compareEffects(
  tx: Db,
  input: { scope: PriceScope; moments: readonly Date[]; currency: Currency },
  change: () => Promise<void>,
): Promise<PriceEffects> {
  const { moments, scope, currency } = input
  await allowComputing(tx)
  const before = await readPrices(tx, moments)
  await change()
  const after = await readPrices(tx, moments)
  const costs = await listPairCosts(tx, scope)
  const changed = moments.flatMap((_, place) => {
    const [old, changedTo] = [before[place], after[place]]
    if (old === undefined || changedTo === undefined) return []
    return costs.flatMap((cost) => effectOf(cost, { before: old, after: changedTo, currency }) ?? [])
  })
  changed.sort((a, b) => Math.abs(b.percent) - Math.abs(a.percent))
  const byPair = Map.groupBy(changed, ({ serviceCode, countryId }) => pairKey(serviceCode, countryId)).values()
  return { currency, pairs: costs.length, changed: [...byPair].flatMap(([largest]) => largest ?? []) }
}

type Prices = { rules: PriceRules; terms: PriceTerms }

async function readPrices(tx: Db, moments: readonly Date[]): Promise<Prices[]> {
  const rubMicrosPerUsd = await findUsdRate(tx)
  if (rubMicrosPerUsd === null) return []
  const terms = { rates: { rubMicrosPerUsd }, rounding: await findRoundings(tx) }
  const prices: Prices[] = []
  for (const at of moments) prices.push({ rules: new PriceRules(await listRulesAt(tx, at)), terms })
  return prices
}

function effectOf(
  pair: PairCost,
  { before, after, currency }: { before: Prices; after: Prices; currency: Currency },
): PriceEffect | null {
  const { service_code: serviceCode, country_id: countryId } = pair
  const priceIn = ({ rules, terms }: Prices) =>
    priceOf(pair, { rule: rules.find(serviceCode, countryId), currency, terms })
  const [old, price] = [priceIn(before), priceIn(after)]
  if (old.micros === price.micros) return null
  const difference = price.micros - old.micros
  const size = (difference < 0n ? -difference : difference) * 100n
  const percent = Number((size + old.micros - 1n) / old.micros) * (difference < 0n ? -1 : 1)
  const isSold = isCovered(pair, after, currency)
  return { serviceCode, countryId, beforeMicros: old.micros, afterMicros: price.micros, percent, isSold }
}

/** Returns true if the price of the cheapest offer covers the offer's cost, less the loss that a promotion allows. */
export function isCovered(pair: PairCost, prices: Prices, currency: Currency): boolean {
  const { rules, terms } = prices
  const rule = rules.find(pair.service_code, pair.country_id)
  const { micros, costMicros } = priceOf(pair, { rule, currency, terms })
  return costMicros <= micros + mayLose(prices, pair, currency)
}

function mayLose({ rules, terms }: Prices, pair: PairCost, currency: Currency): bigint {
  const rule = rules.findPromotion(pair.service_code, pair.country_id)
  return rule === undefined ? 0n : convert(rule.promotion.saleLimitMicros, rule.currency, currency, terms.rates)
}

/**
 * Returns the lowest price of a service in a country, and the cost behind it. Only the lowest costs are compared,
 * because prices grow with costs.
 */
export function priceOf(
  pair: PairCost,
  { rule, currency, terms }: { rule: PriceRule; currency: Currency; terms: PriceTerms },
): { micros: bigint; costMicros: bigint } {
  const costs = [
    { micros: pair.rub_micros, currency: 'rub' },
    { micros: pair.usd_micros, currency: 'usd' },
  ] as const
  const priced = costs.flatMap(({ micros, currency: paidIn }) => {
    if (micros === null) return []
    const cost = { micros, currency: paidIn }
    return [
      { micros: sellPrice(cost, rule, currency, terms), costMicros: convert(micros, paidIn, currency, terms.rates) },
    ]
  })
  const [first, ...rest] = priced
  if (first === undefined) throw new Error('a pair in stock has a cost')
  return rest.reduce((lowest, one) => (one.costMicros < lowest.costMicros ? one : lowest), first)
}

/** Throws CommandRefused if a price changes by more than 30 % and `--yes` is missing. */
export function refuseLargeEffects(given: Arguments, { currency, pairs, changed }: PriceEffects): void {
  const large = changed.filter(({ percent }) => Math.abs(percent) > MOST_CHANGED_PERCENT)
  const [most] = large
  if (most === undefined) return
  refuseDoubtful(
    given,
    `${large.length} of the ${pairs} prices change by more than ${MOST_CHANGED_PERCENT} %, most ${describeEffect(most, currency)}`,
  )
}

export function describeEffect(effect: PriceEffect, currency: Currency): string {
  const { serviceCode, countryId, beforeMicros, afterMicros, percent } = effect
  const change = `${toDecimal(beforeMicros)} to ${toDecimal(afterMicros)} ${currency}`
  const unsold = effect.isSold ? '' : ', below its cost, so not sold'
  return `${serviceCode} in country ${countryId} from ${change} (${percent > 0 ? '+' : ''}${percent} %${unsold})`
}
