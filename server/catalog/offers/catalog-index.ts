import { CURRENCIES, type Currency } from '#contract/money.ts'
import { PriceRules } from '#server/catalog/prices/price-rules.ts'
import { convert, type ExchangeRates, type PriceRule, sellPrice } from '#server/catalog/prices/sell-price.ts'
import type { Offer } from '#server/suppliers/supplier.ts'
import { differing, isSameOffer, nested, OffersByPair, pairKey, splitPairKey } from './offers-by-pair.ts'
import { addOutcomes, noOutcomes, type Outcomes, successShare } from './outcome-bounds.ts'
import type { CountryRow, OutcomeRow, PriceRuleRow, ServiceRow } from './queries.ts'

export type PricedOffer = Offer & {
  supplierId: number
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

export type MeasuredOperator = { supplierId: number; operator: string; outcomes: Outcomes }

export type CatalogFacts = {
  services: ServiceRow[]
  countries: CountryRow[]
  rules: PriceRuleRow[]
  rates: ExchangeRates
  outcomes: OutcomeRow[]
  activeSupplierIds: number[]
}

/** By the supplier's own health: `hidden` sell nothing, `trying` are tried first. */
export type Standings = { hidden: readonly number[]; trying?: readonly number[] }

/** Offers below this share, over the minimum sample, are tried last. */
const BAD_SHARE = 0.2
const UNMEASURED_SHARE = 0.6
/** Shared by all without pairs, because sums are cached by the map. */
const NO_PAIRS = new Map<never, never>()

/** The in-memory catalogue. `version` grows with every change and is a cache key for readers. */
export class CatalogIndex {
  version = 0
  services = new Map<string, ServiceRow>()
  countries = new Map<number, CountryRow>()
  rates: ExchangeRates = { rubMicrosPerUsd: 0n }
  private rules = new PriceRules()
  private outcomes = new Map<string, MeasuredOperator[]>()
  private activeSupplierIds = new Set<number>()
  private hidden: ReadonlySet<number> = new Set()
  private trying: ReadonlySet<number> = new Set()
  private readonly given = new OffersByPair<Offer>(isSameOffer)
  private readonly pairs = new Map<string, Pair>()
  private readonly byService = new Map<string, Map<number, Pair>>()
  private readonly byCountry = new Map<number, Map<string, Pair>>()

  load(facts: CatalogFacts): void {
    this.services = new Map(facts.services.map((row) => [row.code, row]))
    this.countries = new Map(facts.countries.map((row) => [row.id, row]))
    this.rates = facts.rates
    this.activeSupplierIds = new Set(facts.activeSupplierIds)
    this.rules = new PriceRules(facts.rules)
    this.outcomes = groupOutcomes(facts.outcomes)
    for (const key of this.given.pairs()) this.computePair(key)
    this.version += 1
  }

  /** Recomputes only the pairs that differ. Returns whether anything changed. */
  setOffers(supplierId: number, offers: Offer[]): boolean {
    const changed = this.given.replace(supplierId, offers)
    for (const key of changed) this.computePair(key)
    if (changed.length > 0) this.version += 1
    return changed.length > 0
  }

  /** Recomputes only the pairs of suppliers that stand otherwise than before. */
  setStandings({ hidden, trying = [] }: Standings): void {
    const after = { hidden: new Set(hidden), trying: new Set(trying) }
    const differ = [...differing(this.hidden, after.hidden), ...differing(this.trying, after.trying)]
    if (differ.length === 0) return
    this.hidden = after.hidden
    this.trying = after.trying
    for (const key of this.given.pairsOf(differ)) this.computePair(key)
    this.version += 1
  }

  pair(serviceCode: string, countryId: number): Pair | undefined {
    return this.pairs.get(pairKey(serviceCode, countryId))
  }

  pairsOfService(serviceCode: string): ReadonlyMap<number, Pair> {
    return this.byService.get(serviceCode) ?? NO_PAIRS
  }

  pairsOfCountry(countryId: number): ReadonlyMap<string, Pair> {
    return this.byCountry.get(countryId) ?? NO_PAIRS
  }

  /** By `pairKey`, in stock or not. Each load makes a new map. */
  measured(): ReadonlyMap<string, readonly MeasuredOperator[]> {
    return this.outcomes
  }

  /** Whatever its stock; undefined when this supplier may not sell it now. */
  offerOf(
    supplierId: number,
    wanted: { serviceCode: string; countryId: number; operator: string },
  ): PricedOffer | undefined {
    const { serviceCode, countryId } = wanted
    const service = this.services.get(serviceCode)
    if (service === undefined || service.blocked_at !== null || !this.countries.has(countryId)) return undefined
    if (!this.activeSupplierIds.has(supplierId) || this.hidden.has(supplierId)) return undefined
    const key = pairKey(serviceCode, countryId)
    const found = this.given
      .of(key)
      .get(supplierId)
      ?.find(({ operator }) => operator === wanted.operator)
    if (found === undefined) return undefined
    return this.price(found, supplierId, this.rules.find(serviceCode, countryId), this.outcomes.get(key) ?? [])
  }

  /** Rounded up, because fail-over compares the result with the price. */
  convert(micros: bigint, from: Currency, to: Currency): bigint {
    return convert(micros, from, to, this.rates)
  }

  private computePair(key: string): void {
    const { serviceCode, countryId } = splitPairKey(key)
    const service = this.services.get(serviceCode)
    const measured = this.outcomes.get(key) ?? []
    const offers: PricedOffer[] = []
    if (service !== undefined && service.blocked_at === null && this.countries.has(countryId)) {
      const rule = this.rules.find(serviceCode, countryId)
      for (const [supplierId, list] of this.given.of(key)) {
        if (!this.activeSupplierIds.has(supplierId) || this.hidden.has(supplierId)) continue
        for (const offer of list) if (offer.stock > 0) offers.push(this.price(offer, supplierId, rule, measured))
      }
    }
    const found = offers[0]
    if (found === undefined) {
      this.pairs.delete(key)
      this.byService.get(serviceCode)?.delete(countryId)
      this.byCountry.get(countryId)?.delete(serviceCode)
      return
    }
    offers.sort(compareOffers)
    const outcomes = noOutcomes()
    for (const entry of measured) addOutcomes(outcomes, entry.outcomes)
    const pair: Pair = {
      serviceCode,
      countryId,
      offers,
      count: offers.reduce((sum, offer) => sum + offer.stock, 0),
      prices: lowestPrices(offers, found),
      outcomes,
    }
    this.pairs.set(key, pair)
    nested(this.byService, serviceCode).set(countryId, pair)
    nested(this.byCountry, countryId).set(serviceCode, pair)
  }

  private price(offer: Offer, supplierId: number, rule: PriceRule, measured: readonly MeasuredOperator[]): PricedOffer {
    const cost = { micros: offer.costMicros, currency: offer.currency }
    const outcomes =
      measured.find((entry) => entry.supplierId === supplierId && entry.operator === offer.operator)?.outcomes ??
      noOutcomes()
    const share = successShare(outcomes)
    const inRub = Number(convert(offer.costMicros, offer.currency, 'rub', this.rates))
    const bad = share !== null && share < BAD_SHARE
    const expectedCost = bad ? Number.MAX_VALUE : inRub / (share ?? UNMEASURED_SHARE)
    return {
      ...offer,
      supplierId,
      outcomes,
      prices: {
        rub: sellPrice(cost, rule, 'rub', this.rates),
        usd: sellPrice(cost, rule, 'usd', this.rates),
      },
      expectedCost: this.trying.has(supplierId) ? 0 : expectedCost,
    }
  }
}

function compareOffers(a: PricedOffer, b: PricedOffer): number {
  if (a.expectedCost !== b.expectedCost) return a.expectedCost - b.expectedCost
  return a.costMicros < b.costMicros ? -1 : a.costMicros > b.costMicros ? 1 : a.supplierId - b.supplierId
}

function lowestPrices(offers: PricedOffer[], first: PricedOffer): Record<Currency, bigint> {
  const lowest = { ...first.prices }
  for (const offer of offers) {
    for (const currency of CURRENCIES) {
      if (offer.prices[currency] < lowest[currency]) lowest[currency] = offer.prices[currency]
    }
  }
  return lowest
}

function groupOutcomes(rows: OutcomeRow[]): Map<string, MeasuredOperator[]> {
  const groups = new Map<string, MeasuredOperator[]>()
  for (const row of rows) {
    const key = pairKey(row.service_code, row.country_id)
    const entry = {
      supplierId: row.supplier_id,
      operator: row.operator,
      outcomes: { purchases: row.purchases, codes: row.codes, secondsCounts: row.seconds_counts },
    }
    groups.set(key, [...(groups.get(key) ?? []), entry])
  }
  return groups
}
