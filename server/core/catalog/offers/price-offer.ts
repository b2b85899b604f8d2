import { CURRENCIES, type Currency } from '#contract/money.ts'
import type { PriceRuleRow } from '#server/core/catalog/rules/rule-queries.ts'
import { convert, type PriceRule, type PriceTerms, sellPrice } from '#server/core/catalog/rules/sell-price.ts'
import type { Offer } from '#server/core/suppliers/supplier.ts'
import { noOutcomes, type Outcomes, successShare } from '../health/outcome-bounds.ts'
import type { MeasuredOperator } from './measured-operators.ts'
import type { CountryRow, OutcomeRow, ServiceRow } from './queries.ts'

export type PricedOffer = Offer & {
  supplierId: number
  /** Its cost, and what it is sold at. */
  costs: Record<Currency, bigint>
  prices: Record<Currency, bigint>
  /** Cost per code that arrives: the cost divided by the success share. Orders the attempts. */
  expectedCost: number
  outcomes: Outcomes
}

/** Offers stand in the order in which they are tried. */
export type Pair = {
  serviceCode: string
  countryId: number
  offers: PricedOffer[]
  count: number
  prices: Record<Currency, bigint>
  outcomes: Outcomes
}

export type PairPromotion = { id: number; saleLimits: Record<Currency, bigint> }

export type CatalogFacts = {
  services: ServiceRow[]
  countries: CountryRow[]
  rules: PriceRuleRow[]
  /** Ids of promotions that may not begin a sale any more. */
  fullPromotions?: readonly number[]
  /** When the next rule begins or ends. */
  rulesUntil: Date | null
  terms: PriceTerms
  outcomes: OutcomeRow[]
  activeSupplierIds: number[]
}

/** By the supplier's own health: `hidden` sell nothing, `trying` are tried first. */
export type Standings = { hidden: readonly number[]; trying?: readonly number[] }

/** Before the first load. */
export const NO_TERMS: PriceTerms = { rates: { rubMicrosPerUsd: 0n }, rounding: { rub: 'exact', usd: 'exact' } }
/** Offers below this share, over the minimum sample, are tried last. */
const BAD_SHARE = 0.2
const UNMEASURED_SHARE = 0.6
/** Shared by all offers that nobody has bought: only sums are changed. */
const UNMEASURED = noOutcomes()

type Pricing = {
  supplierId: number
  rule: PriceRule
  measured: readonly MeasuredOperator[]
  terms: PriceTerms
  /** Its supplier was set aside and is tried again: first. */
  isTried: boolean
}

export function priceOffer(offer: Offer, { supplierId, rule, measured, terms, isTried }: Pricing): PricedOffer {
  const cost = { micros: offer.costMicros, currency: offer.currency }
  const outcomes =
    measured.find((entry) => entry.supplierId === supplierId && entry.operator === offer.operator)?.outcomes ??
    UNMEASURED
  const share = successShare(outcomes)
  const costs = {
    rub: convert(offer.costMicros, offer.currency, 'rub', terms.rates),
    usd: convert(offer.costMicros, offer.currency, 'usd', terms.rates),
  }
  const bad = share !== null && share < BAD_SHARE
  const expectedCost = bad ? Number.MAX_VALUE : Number(costs.rub) / (share ?? UNMEASURED_SHARE)
  return {
    ...offer,
    supplierId,
    outcomes,
    costs,
    prices: { rub: sellPrice(cost, rule, 'rub', terms), usd: sellPrice(cost, rule, 'usd', terms) },
    expectedCost: isTried ? 0 : expectedCost,
  }
}

/** By its price, and what a promotion may lose. */
export function isCovered({ costs, prices }: PricedOffer, promotion: PairPromotion | undefined): boolean {
  return CURRENCIES.every((currency) => costs[currency] <= prices[currency] + (promotion?.saleLimits[currency] ?? 0n))
}
