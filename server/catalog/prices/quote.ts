import type { Currency } from '#contract/money.ts'
import type { CatalogIndex, Pair, PricedOffer } from '#server/catalog/offers/catalog-index.ts'

/** `candidates` in the order in which they are asked. */
export type Quote = { priceMicros: bigint; candidates: [PricedOffer, ...PricedOffer[]] }

/** Candidates sell at the lowest price without a loss, best expected cost first. */
export function quote(
  catalog: CatalogIndex,
  wanted: { serviceCode: string; countryId: number; currency: Currency; operator: string | null },
): Quote | 'out-of-stock' | 'unknown-operator' {
  const { currency, operator } = wanted
  const pair = catalog.pair(wanted.serviceCode, wanted.countryId)
  if (pair === undefined) return 'out-of-stock'
  if (operator === null) return quoteOfPair(pair, currency)
  const fitting = pair.offers.filter((offer) => offer.operator === operator)
  return fitting.length === 0 ? 'unknown-operator' : quoteOf(fitting, currency)
}

/** A pair that changes becomes another object. */
const quotes = new WeakMap<Pair, Partial<Record<Currency, Quote | 'out-of-stock'>>>()

function quoteOfPair(pair: Pair, currency: Currency): Quote | 'out-of-stock' {
  const known = quotes.get(pair) ?? {}
  const found = known[currency]
  if (found !== undefined) return found
  const made = quoteOf(pair.offers, currency)
  quotes.set(pair, { ...known, [currency]: made })
  return made
}

function quoteOf(offers: readonly PricedOffer[], currency: Currency): Quote | 'out-of-stock' {
  const priceMicros = offers.map(({ prices }) => prices[currency]).reduce((one, other) => (other < one ? other : one))
  const [best, ...rest] = offers.filter(({ costs }) => costs[currency] <= priceMicros)
  return best === undefined ? 'out-of-stock' : { priceMicros, candidates: [best, ...rest] }
}
