import { type Currency, toDecimal } from '#contract/money.ts'
import { addOutcomes, noOutcomes, successShare } from '#server/core/catalog/health/outcome-bounds.ts'
import type { Pair, PricedOffer } from '#server/core/catalog/offers/price-offer.ts'
import type { SupplierFilter } from '../parameters/supplier-filter.ts'

type Shown = { currency: Currency; isSupplierWanted?: SupplierFilter }

function wantedOffers({ offers }: Pair, { isSupplierWanted }: Shown): readonly PricedOffer[] {
  return isSupplierWanted === undefined ? offers : offers.filter(({ supplierId }) => isSupplierWanted(supplierId))
}

export function writeCost(pair: Pair, shown: Shown): string | null {
  if (shown.isSupplierWanted === undefined) return cost(pair.prices[shown.currency], pair.count)
  const offers = wantedOffers(pair, shown)
  const [lowest] = ladderOf(offers, shown.currency)
  return lowest === undefined ? null : cost(lowest[0], stockOf(offers))
}

function cost(price: bigint, count: number): string {
  return `{"cost":${toDecimal(price)},"count":${count},"physicalCount":${count}}`
}

export function writeLadder(pair: Pair, shown: Shown): string | null {
  const ladder = ladderOf(wantedOffers(pair, shown), shown.currency)
  if (ladder.length === 0) return null
  return `{${ladder.map(([price, count]) => `"${toDecimal(price)}":${count}`).join(',')}}`
}

/** Returns the stock at each price, cheapest first. Stock at one price is not counted at any other. */
export function ladderOf(offers: readonly PricedOffer[], currency: Currency): [bigint, number][] {
  const steps = new Map<bigint, number>()
  for (const { prices, stock } of offers) steps.set(prices[currency], (steps.get(prices[currency]) ?? 0) + stock)
  return [...steps].sort(([one], [other]) => (one < other ? -1 : 1))
}

/**
 * Writes suppliers like GrizzlySMS and Tiger: `{price, count, providers: {"7": {count, price: [...], provider_id}}}`.
 */
export function writeSuppliers(pair: Pair, shown: Shown): string | null {
  const found = suppliersOf(pair, shown)
  const [first] = ladderOf(wantedOffers(pair, shown), shown.currency)
  if (first === undefined) return null
  const providers = found.map(
    ({ id, count, ladder, share }) =>
      `"${id}":{"count":${count},"price":[${ladder.map(([price]) => toDecimal(price)).join(',')}],"provider_id":${id},"delivery_percent":${share}}`,
  )
  const count = found.reduce((sum, each) => sum + each.count, 0)
  return `{"price":${toDecimal(first[0])},"count":${count},"providers":{${providers.join(',')}}}`
}

/** Writes suppliers like SMSBower, without an outer object: `{"7": {count, price, provider_id}}`. */
export function writeSuppliersAlone(pair: Pair, shown: Shown): string | null {
  const found = suppliersOf(pair, shown).flatMap(({ id, count, ladder: [lowest] }) =>
    lowest === undefined ? [] : [`"${id}":{"count":${count},"price":${toDecimal(lowest[0])},"provider_id":${id}}`],
  )
  return found.length === 0 ? null : `{${found.join(',')}}`
}

/**
 * Lists the suppliers of a service in a country. `id` is the number by which buyers know a supplier. `share` is the
 * percentage of our purchases that got a code, or null after too few purchases.
 */
export function suppliersOf(pair: Pair, shown: Shown) {
  const groups = Map.groupBy(wantedOffers(pair, shown), ({ supplierId }) => supplierId)
  return [...groups].map(([id, offers]) => {
    const outcomes = noOutcomes()
    for (const offer of offers) addOutcomes(outcomes, offer.outcomes)
    return {
      id,
      count: stockOf(offers),
      ladder: ladderOf(offers, shown.currency),
      share: percentOf(successShare(outcomes)),
    }
  })
}

export function percentOf(share: number | null): number | null {
  return share === null ? null : Math.round(share * 1_000) / 10
}

function stockOf(offers: readonly PricedOffer[]): number {
  return offers.reduce((sum, { stock }) => sum + stock, 0)
}
