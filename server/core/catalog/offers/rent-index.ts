import { CURRENCIES, type Currency } from '#contract/money.ts'
import { PriceRules } from '#server/core/catalog/rules/price-rules.ts'
import { convert, type PriceRule, sellPrice } from '#server/core/catalog/rules/sell-price.ts'
import type { RentOffer } from '#server/core/suppliers/supplier.ts'
import type { Yielding } from '#server/house/jobs/run-yielding.ts'
import { perContext } from '#server/house/memory.ts'
import { differing, isSameOffer, nested, OffersByPair, pairKey, splitPairKey } from './offers-by-pair.ts'
import { type CatalogFacts, NO_TERMS, type Standings } from './price-offer.ts'
import type { CountryRow, ServiceRow } from './queries.ts'

export type PricedRentOffer = RentOffer & { supplierId: number; prices: Record<Currency, bigint> }

export type RentPeriod = { prices: Record<Currency, bigint>; count: number }

export type RentPair = {
  serviceCode: string
  countryId: number
  offers: PricedRentOffer[]
  periods: Map<number, RentPeriod>
}

export type RentFacts = Pick<CatalogFacts, 'services' | 'countries' | 'rules' | 'terms' | 'activeSupplierIds'>

const COMPUTED_AT_ONCE = 1_000
const NO_PAIRS = new Map<never, never>()

/**
 * The in-memory catalogue of rentals, with a `version` as in CatalogIndex. Only margin rules apply (price-rules.ts).
 */
export class RentIndex {
  version = 0
  private services = new Map<string, ServiceRow>()
  private countries = new Map<number, CountryRow>()
  private terms = NO_TERMS
  private rules = new PriceRules()
  private activeSupplierIds = new Set<number>()
  private hidden: ReadonlySet<number> = new Set()
  private readonly given = new OffersByPair<RentOffer>(
    (before, after) => before.hours === after.hours && isSameOffer(before, after),
  )
  private pairs = new Map<string, RentPair>()
  private byService = new Map<string, Map<number, RentPair>>()
  private byCountry = new Map<number, Map<string, RentPair>>()
  private coming: { index: RentIndex; changed: Set<string> } | null = null

  private take(facts: RentFacts): void {
    this.services = new Map(facts.services.map((row) => [row.code, row]))
    this.countries = new Map(facts.countries.map((row) => [row.id, row]))
    this.terms = facts.terms
    this.rules = new PriceRules(facts.rules.filter(({ promotion_id: id }) => id === null))
    this.activeSupplierIds = new Set(facts.activeSupplierIds)
  }

  *loadInPieces(facts: RentFacts): Yielding<void> {
    const index = new RentIndex()
    const changed = new Set(this.given.pairs())
    const coming = { index, changed }
    this.coming = coming
    const { given, hidden } = this
    Object.assign(index, { given, hidden })
    index.take(facts)
    let left = COMPUTED_AT_ONCE
    for (const key of changed) {
      changed.delete(key)
      left -= index.computePair(key)
      if (left > 0) continue
      left = COMPUTED_AT_ONCE
      yield
      if (this.coming !== coming) return
    }
    if (this.coming !== coming) return
    Object.assign(this, index, { coming: null, version: this.version + 1 })
  }

  setOffers(supplierId: number, offers: RentOffer[]): boolean {
    const { pairs: changed } = this.given.replace(supplierId, offers)
    this.computeAnew(changed)
    if (changed.length > 0) this.version += 1
    return changed.length > 0
  }

  setStandings({ hidden }: Standings): void {
    const after = new Set(hidden)
    const differ = differing(this.hidden, after)
    if (differ.length === 0) return
    this.hidden = after
    if (this.coming !== null) this.coming.index.hidden = after
    this.computeAnew(this.given.pairsOf(differ))
    this.version += 1
  }

  private computeAnew(keys: readonly string[]): void {
    for (const key of keys) {
      this.coming?.changed.add(key)
      this.computePair(key)
    }
  }

  pair(serviceCode: string, countryId: number): RentPair | undefined {
    return this.pairs.get(pairKey(serviceCode, countryId))
  }

  pairsOfService(serviceCode: string): ReadonlyMap<number, RentPair> {
    return this.byService.get(serviceCode) ?? NO_PAIRS
  }

  pairsOfCountry(countryId: number): ReadonlyMap<string, RentPair> {
    return this.byCountry.get(countryId) ?? NO_PAIRS
  }

  hasOperator(countryId: number, isIt: (operator: string) => boolean): boolean {
    return this.given.hasOperator(this.activeSupplierIds, countryId, isIt)
  }

  offerOf(
    supplierId: number,
    wanted: { serviceCode: string; countryId: number; operator: string; hours: number },
  ): PricedRentOffer | undefined {
    const { serviceCode, countryId } = wanted
    if (!this.isRentable(serviceCode, countryId) || !this.activeSupplierIds.has(supplierId)) return undefined
    const offers = this.given.of(pairKey(serviceCode, countryId)).get(supplierId) ?? []
    const found = offers.find(({ operator, hours }) => operator === wanted.operator && hours === wanted.hours)
    return found && this.price(found, supplierId, this.rules.findMargin(serviceCode, countryId))
  }

  convert(micros: bigint, from: Currency, to: Currency): bigint {
    return convert(micros, from, to, this.terms.rates)
  }

  private isRentable(serviceCode: string, countryId: number): boolean {
    const service = this.services.get(serviceCode)
    return service !== undefined && service.blocked_at === null && this.countries.has(countryId)
  }

  private computePair(key: string): number {
    const { serviceCode, countryId } = splitPairKey(key)
    const offers = this.isRentable(serviceCode, countryId) ? this.priceInStock(key) : []
    if (offers.length === 0) {
      this.pairs.delete(key)
      this.byService.get(serviceCode)?.delete(countryId)
      this.byCountry.get(countryId)?.delete(serviceCode)
      return 1
    }
    const pair: RentPair = { serviceCode, countryId, offers, periods: sumPeriods(offers) }
    this.pairs.set(key, pair)
    nested(this.byService, serviceCode).set(countryId, pair)
    nested(this.byCountry, countryId).set(serviceCode, pair)
    return offers.length
  }

  private priceInStock(key: string): PricedRentOffer[] {
    const priced: PricedRentOffer[] = []
    const { serviceCode, countryId } = splitPairKey(key)
    const rule = this.rules.findMargin(serviceCode, countryId)
    for (const [supplierId, offers] of this.given.of(key)) {
      if (!this.activeSupplierIds.has(supplierId) || this.hidden.has(supplierId)) continue
      for (const offer of offers) if (offer.stock > 0) priced.push(this.price(offer, supplierId, rule))
    }
    return priced
      .map((offer) => ({ offer, cost: this.convert(offer.costMicros, offer.currency, 'rub') }))
      .sort((a, b) => (a.cost < b.cost ? -1 : a.cost > b.cost ? 1 : a.offer.supplierId - b.offer.supplierId))
      .map(({ offer }) => offer)
  }

  private price(offer: RentOffer, supplierId: number, rule: PriceRule): PricedRentOffer {
    const cost = { micros: offer.costMicros, currency: offer.currency }
    const rub = sellPrice(cost, rule, 'rub', this.terms)
    return { ...offer, supplierId, prices: { rub, usd: sellPrice(cost, rule, 'usd', this.terms) } }
  }
}

function sumPeriods(offers: PricedRentOffer[]): Map<number, RentPeriod> {
  const periods = new Map<number, RentPeriod>()
  for (const offer of offers) {
    const period = periods.get(offer.hours)
    if (period === undefined) {
      periods.set(offer.hours, { prices: { ...offer.prices }, count: offer.stock })
      continue
    }
    period.count += offer.stock
    for (const currency of CURRENCIES) {
      if (offer.prices[currency] < period.prices[currency]) period.prices[currency] = offer.prices[currency]
    }
  }
  return periods
}

export const rentCatalogOf = perContext(
  'catalog of rentals',
  { scope: 'world', nodes: 'told', lost: 'nothing: it is read from the tables and from suppliers' },
  () => new RentIndex(),
)
