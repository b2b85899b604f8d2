import type { PricedPair } from '#server/adapters/shared/resold/catalogue.ts'
import { readAmount } from '#server/adapters/shared/resold/wire/amounts.ts'
import { isRecord, textOf } from '#server/adapters/shared/resold/wire/json-fields.ts'
import type { Yielding } from '#server/house/jobs/run-yielding.ts'
import { type FiveSimSettings, SLUG } from '../settings.ts'

/** The outer key of a price list. The reply to a request by product has the product outside and countries inside. */
export type Nesting = 'country' | 'product'

const MAX_PAIRS = 250_000
/** The maximum number of operators for one product in one country. 5sim has a few dozen. */
const MOST_OPERATORS = 200
/** The number of entries that are read before other work may run. */
const PIECE = 2_000
const HOSTING: ReadonlySet<string> = new Set(['3hours', '1day', '10days', '1month'])

/**
 * Reads a price list, `{country: {product: {operator: {cost, count}}}}`. Returns null for any other form. `broken`
 * counts unreadable entries.
 */
export function* readPrices(
  json: unknown,
  { nesting, operators }: { nesting: Nesting; operators: FiveSimSettings['operators'] },
): Yielding<{ pairs: PricedPair[]; broken: number } | null> {
  if (!isRecord(json)) return null
  const pairs: PricedPair[] = []
  let broken = 0
  let left = PIECE
  for (const [outer, inside] of Object.entries(json)) {
    if (!isRecord(inside)) return null
    for (const [inner, entries] of Object.entries(inside)) {
      const [country, service] = nesting === 'country' ? [outer, inner] : [inner, outer]
      if (!SLUG.test(country) || !SLUG.test(service) || !isRecord(entries)) {
        broken += 1
        left -= 1
        continue
      }
      if (HOSTING.has(service)) continue
      const read = readOperators(entries)
      left -= read.count
      if (left <= 0) {
        left = PIECE
        yield
      }
      broken += read.broken
      for (const offer of choose(read.offers, operators)) {
        if (pairs.length < MAX_PAIRS) pairs.push({ country, service, ...offer })
      }
    }
  }
  return { pairs, broken }
}

type Priced = Required<Pick<PricedPair, 'operator' | 'costMicros' | 'stock'>>

function readOperators(entries: Record<string, unknown>): { offers: Priced[]; broken: number; count: number } {
  const read = Object.entries(entries)
    .slice(0, MOST_OPERATORS)
    .map(([operator, entry]) => readEntry(operator, entry))
  const offers = read.filter((offer) => offer !== null)
  return { offers: offers.filter(({ stock }) => stock > 0), broken: read.length - offers.length, count: read.length }
}

function readEntry(operator: string, entry: unknown): Priced | null {
  if (!SLUG.test(operator) || !isRecord(entry)) return null
  const costMicros = readAmount(entry.cost)
  const count = textOf(entry.count)
  if (costMicros === null || costMicros === 0n || count === null || !/^\d{1,9}$/.test(count)) return null
  return { operator, costMicros, stock: Number(count) }
}

function choose(
  offers: readonly Priced[],
  operators: FiveSimSettings['operators'],
): Omit<PricedPair, 'country' | 'service'>[] {
  if (operators === 'each') return [...offers]
  if (operators !== 'any') return offers.filter(({ operator }) => operators.includes(operator))
  const [first, ...others] = offers
  if (first === undefined) return []
  // A purchase pays at most the lowest price, so only the stock at that price is for sale.
  const costMicros = others.reduce(
    (least, offer) => (offer.costMicros < least ? offer.costMicros : least),
    first.costMicros,
  )
  const stock = offers.reduce((sum, offer) => (offer.costMicros === costMicros ? sum + offer.stock : sum), 0)
  return [{ costMicros, stock }]
}
