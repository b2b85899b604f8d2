import type { Currency } from '#contract/money.ts'
import { PriceRules } from '#server/core/catalog/rules/price-rules.ts'
import type { PriceRuleRow } from '#server/core/catalog/rules/rule-queries.ts'
import { convert, type PriceRule } from '#server/core/catalog/rules/sell-price.ts'
import type { Offer } from '#server/core/suppliers/supplier.ts'
import { runWithoutYielding, type Yielding } from '#server/house/jobs/run-yielding.ts'
import { perContext } from '#server/house/memory.ts'
import { addOutcomes, noOutcomes } from '../health/outcome-bounds.ts'
import { compareOffers, lowestPrices } from './compare-offers.ts'
import { groupOutcomes, type MeasuredOperator } from './measured-operators.ts'
import { type Changes, differing, isSameOffer, nested, OffersByPair, pairKey, splitPairKey } from './offers-by-pair.ts'
import {
  type CatalogFacts,
  isCovered,
  NO_TERMS,
  type Pair,
  type PairPromotion,
  type PricedOffer,
  priceOffer,
  type Standings,
} from './price-offer.ts'
import type { CountryRow, ServiceRow } from './queries.ts'

/** A list of at most this number of offers is priced when first read, because that takes only a few milliseconds. */
const LONG_LIST = 2_000
/** A load of the catalogue pauses after this number of pairs or lists of suppliers, to yield to other requests. */
const COMPUTED_AT_ONCE = 500
/** All services and countries without pairs share one empty map, because the map is the cache key of their sums. */
const NO_PAIRS = new Map<never, never>()

/** The catalogue in memory. `version` grows with every change, and readers use it as cache key. */
export class CatalogIndex {
  version = 0
  services = new Map<string, ServiceRow>()
  countries = new Map<number, CountryRow>()
  /** The time at which other price rules apply, so that the catalogue must be loaded again. */
  rulesUntil: Date | null = null
  private terms = NO_TERMS
  private ruleRows: readonly PriceRuleRow[] = []
  private full: ReadonlySet<number> = new Set()
  private rules = new PriceRules()
  private lastingRules = new PriceRules()
  private outcomes = new Map<string, MeasuredOperator[]>()
  private activeSupplierIds = new Set<number>()
  private hidden: ReadonlySet<number> = new Set()
  private trying: ReadonlySet<number> = new Set()
  private readonly given = new OffersByPair<Offer>(isSameOffer)
  private priced = new WeakMap<Offer, PricedOffer>()
  /** Pairs of service and country whose promotion covers no offer; the price without the promotion applies. */
  private passedOver = new Set<string>()
  /** Pairs of service and country in stock that are not sold, because their fixed price is below cost. */
  private belowCost = new Set<string>()
  private stale = new Set<string>()
  private pairs = new Map<string, Pair>()
  private byService = new Map<string, Map<number, Pair>>()
  private byCountry = new Map<number, Map<string, Pair>>()
  /**
   * The index that a running load computes. Changes are applied to it too, and it finally replaces the present index.
   */
  private coming: CatalogIndex | null = null

  load(facts: CatalogFacts): void {
    runWithoutYielding(this.loadInPieces(facts))
  }

  /**
   * Replaces the facts (services, countries, price rules, …). The earlier facts stay in force until the load is
   * complete. A load that starts meanwhile replaces this load.
   */
  *loadInPieces(facts: CatalogFacts): Yielding<void> {
    const next = new CatalogIndex()
    this.coming = next
    Object.assign(next, { given: this.given, hidden: this.hidden, trying: this.trying })
    yield* next.take(facts)
    let left = COMPUTED_AT_ONCE
    for (const key of next.stale) {
      next.computePair(key)
      left -= 1 + this.given.of(key).size
      if (left > 0) continue
      left = COMPUTED_AT_ONCE
      yield
    }
    if (this.coming !== next) return
    Object.assign(this, next, { coming: null, version: this.version + 1 })
  }

  private *take(facts: CatalogFacts): Yielding<void> {
    this.services = new Map(facts.services.map((row) => [row.code, row]))
    this.countries = new Map(facts.countries.map((row) => [row.id, row]))
    this.terms = facts.terms
    this.rulesUntil = facts.rulesUntil
    this.activeSupplierIds = new Set(facts.activeSupplierIds)
    this.ruleRows = facts.rules
    this.full = new Set(facts.fullPromotions)
    this.rules = new PriceRules(facts.rules, this.full)
    this.lastingRules = new PriceRules(facts.rules.filter(({ promotion_id: id }) => id === null))
    for (const key of this.given.pairs()) this.stale.add(key)
    this.outcomes = yield* groupOutcomes(facts.outcomes)
  }

  promotionIds(): number[] {
    return this.ruleRows.flatMap(({ promotion_id: id }) => id ?? [])
  }

  /**
   * Returns the promotion of service and country, with the loss allowed for a sale; undefined if it covers no offer.
   */
  promotionOf(serviceCode: string, countryId: number): PairPromotion | undefined {
    const rule = this.rules.findPromotion(serviceCode, countryId)
    if (rule === undefined || this.passedOver.has(pairKey(serviceCode, countryId))) return undefined
    const { id, saleLimitMicros } = rule.promotion
    const inCurrency = (currency: Currency) => this.convert(saleLimitMicros, rule.currency, currency)
    return { id, saleLimits: { rub: inCurrency('rub'), usd: inCurrency('usd') } }
  }

  setFullPromotions(ids: readonly number[]): void {
    this.coming?.setFullPromotions(ids)
    const full = new Set(ids)
    const turned = this.ruleRows.filter(({ promotion_id: id }) => id !== null && full.has(id) !== this.full.has(id))
    if (turned.length === 0) return
    this.full = full
    this.rules = new PriceRules(this.ruleRows, full)
    for (const { service_code: serviceCode, country_id: countryId } of turned) {
      if (serviceCode === null || countryId === null) continue
      const key = pairKey(serviceCode, countryId)
      for (const offers of this.given.of(key).values()) for (const offer of offers) this.priced.delete(offer)
      this.stale.add(key)
    }
    this.version += 1
  }

  setOffers(supplierId: number, offers: readonly Offer[]): boolean {
    return this.replaceOffers(supplierId, offers).pairs.length > 0
  }

  /**
   * Replaces a supplier's offers. Changed pairs are computed on the first read, because several lists may arrive in a
   * row.
   */
  replaceOffers(supplierId: number, offers: readonly Offer[]): Changes<Offer> {
    const changes = this.given.replace(supplierId, offers)
    this.noteChanged(changes.pairs)
    return changes
  }

  /** Replaces a supplier's long list in pieces, because otherwise the first reader would wait for all its prices. */
  *replaceInPieces(supplierId: number, offers: readonly Offer[]): Yielding<Changes<Offer> | null> {
    const pieces = this.given.replaceInPieces(supplierId, offers)
    for (;;) {
      const { done, value } = pieces.next()
      if (done === true) return value
      this.noteChanged(value)
      if (offers.length > LONG_LIST) for (const key of value) this.computePair(key)
      yield
    }
  }

  private noteChanged(keys: readonly string[]): void {
    this.coming?.noteChanged(keys)
    for (const key of keys) this.stale.add(key)
    if (keys.length > 0) this.version += 1
  }

  /**
   * Recomputes the offers of suppliers whose health changed. Offers that a running load has not reached wait for it.
   */
  setStandings({ hidden, trying = [] }: Standings): void {
    this.coming?.setStandings({ hidden, trying })
    const after = { hidden: new Set(hidden), trying: new Set(trying) }
    const differ = [...differing(this.hidden, after.hidden), ...differing(this.trying, after.trying)]
    if (differ.length === 0) return
    this.hidden = after.hidden
    this.trying = after.trying
    for (const key of this.given.pairsOf(differ)) if (!this.stale.has(key)) this.computePair(key)
    this.version += 1
  }

  pair(serviceCode: string, countryId: number): Pair | undefined {
    const key = pairKey(serviceCode, countryId)
    if (this.stale.has(key)) this.computePair(key)
    return this.pairs.get(key)
  }

  pairsOfService(serviceCode: string): ReadonlyMap<number, Pair> {
    this.computeStale()
    return this.byService.get(serviceCode) ?? NO_PAIRS
  }

  pairsOfCountry(countryId: number): ReadonlyMap<string, Pair> {
    this.computeStale()
    return this.byCountry.get(countryId) ?? NO_PAIRS
  }

  measured(): ReadonlyMap<string, readonly MeasuredOperator[]> {
    return this.outcomes
  }

  unsoldPairs(): string[] {
    this.computeStale()
    return [...this.belowCost].map((key) => {
      const { serviceCode, countryId } = splitPairKey(key)
      return `${serviceCode}/${countryId}`
    })
  }

  /** Lists the suppliers that are not paused, each with the countries that it sells, or sold before its link failed. */
  suppliedCountries(): { supplierId: number; countryIds: Iterable<number> }[] {
    return [...this.activeSupplierIds].map((id) => ({ supplierId: id, countryIds: this.given.countriesOf(id) }))
  }

  hasOperator(countryId: number, isIt: (operator: string) => boolean): boolean {
    return this.given.hasOperator(this.activeSupplierIds, countryId, isIt)
  }

  /** Returns an offer regardless of its stock, or undefined if the supplier may not sell it now. */
  offerOf(
    supplierId: number,
    wanted: { serviceCode: string; countryId: number; operator: string },
  ): PricedOffer | undefined {
    const { serviceCode, countryId } = wanted
    const service = this.services.get(serviceCode)
    if (service === undefined || service.blocked_at !== null || !this.countries.has(countryId)) return undefined
    if (!this.activeSupplierIds.has(supplierId) || this.hidden.has(supplierId)) return undefined
    const key = pairKey(serviceCode, countryId)
    const ofSupplier = this.given.of(key).get(supplierId)
    const found = ofSupplier?.find(({ operator }) => operator === wanted.operator)
    if (found === undefined) return undefined
    if (this.stale.has(key)) this.computePair(key)
    const rules = this.passedOver.has(key) ? this.lastingRules : this.rules
    return this.price(found, supplierId, rules.find(serviceCode, countryId), this.outcomes.get(key) ?? [])
  }

  /** Converts a cost to a currency and rounds up, because fail-over compares the cost with the price. */
  convert(micros: bigint, from: Currency, to: Currency): bigint {
    return convert(micros, from, to, this.terms.rates)
  }

  computeStale(): void {
    for (const key of this.stale) this.computePair(key)
  }

  private computePair(key: string): void {
    this.stale.delete(key)
    const { serviceCode, countryId } = splitPairKey(key)
    const service = this.services.get(serviceCode)
    const measured = this.outcomes.get(key) ?? []
    const isOpen = service !== undefined && service.blocked_at === null && this.countries.has(countryId)
    const offers = isOpen ? this.sellable(key, measured) : []
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

  /** Returns the offers whose cost is covered by the price and the loss that a promotion allows. */
  private sellable(key: string, measured: readonly MeasuredOperator[]): PricedOffer[] {
    const { serviceCode, countryId } = splitPairKey(key)
    this.passedOver.delete(key)
    const promotion = this.promotionOf(serviceCode, countryId)
    const rule = this.rules.find(serviceCode, countryId)
    const priced: PricedOffer[] = []
    for (const [supplierId, list] of this.given.of(key)) {
      if (!this.activeSupplierIds.has(supplierId) || this.hidden.has(supplierId)) continue
      for (const offer of list) if (offer.stock > 0) priced.push(this.priceOnce(offer, supplierId, { rule, measured }))
    }
    let sold = rule.kind === 'margin' ? priced : priced.filter((offer) => isCovered(offer, promotion))
    if (sold.length === 0 && priced.length > 0 && promotion !== undefined) {
      this.passedOver.add(key)
      const lasting = this.lastingRules.find(serviceCode, countryId)
      const anew = priced.map((offer) => this.price(offer, offer.supplierId, lasting, measured))
      sold = anew.filter((offer) => isCovered(offer, undefined))
    }
    if (priced.length > 0 && sold.length === 0) this.belowCost.add(key)
    else this.belowCost.delete(key)
    return sold
  }

  private priceOnce(
    offer: Offer,
    supplierId: number,
    { rule, measured }: { rule: PriceRule; measured: readonly MeasuredOperator[] },
  ): PricedOffer {
    const known = this.priced.get(offer)
    // Two suppliers may share one offer object, so the cached price must be of the same supplier.
    if (known?.supplierId === supplierId) return known
    const made = this.price(offer, supplierId, rule, measured)
    this.priced.set(offer, made)
    return made
  }

  private price(offer: Offer, supplierId: number, rule: PriceRule, measured: readonly MeasuredOperator[]): PricedOffer {
    return priceOffer(offer, { supplierId, rule, measured, terms: this.terms, isTried: this.trying.has(supplierId) })
  }
}

export const catalogOf = perContext(
  'catalog of activations',
  { scope: 'world', nodes: 'told', lost: 'nothing: it is read from the tables and from suppliers' },
  () => new CatalogIndex(),
)
