import type { PricedPair } from '#server/adapters/shared/resold/catalogue.ts'
import { readAmount } from '#server/adapters/shared/resold/wire/amounts.ts'
import { isRecord, textOf } from '#server/adapters/shared/resold/wire/json-fields.ts'
import type { Yielding } from '#server/house/jobs/run-yielding.ts'
import type { BoughtDialect } from './dialects.ts'

const MAX_PAIRS = 250_000
/** The number of entries that are read before other work may run. */
const PIECE = 2_000
const MAX_STOCK = 1_000_000_000

/**
 * Reads a price list, `{country: {service: {cost, count}}}` or `{country: {service: {price: count}}}`. Returns null for
 * any other form. `broken` counts unreadable entries.
 */
export function* readPrices(
  json: unknown,
  shape: BoughtDialect['prices']['shape'],
): Yielding<{ pairs: PricedPair[]; broken: number } | null> {
  if (!isRecord(json)) return null
  const pairs: PricedPair[] = []
  let broken = 0
  let left = PIECE
  for (const [country, services] of Object.entries(json)) {
    if (!/^\d{1,6}$/.test(country)) return null
    // The language PHP writes an empty object as a list.
    if (Array.isArray(services) && services.length === 0) continue
    if (!isRecord(services)) return null
    for (const [service, entry] of Object.entries(services)) {
      const found = isRecord(entry) ? readEntry(entry, shape) : null
      if (found === null) broken += 1
      else if (pairs.length < MAX_PAIRS) pairs.push({ country, service, ...found })
      left -= 1
      if (left > 0) continue
      left = PIECE
      yield
    }
  }
  return { pairs, broken }
}

type Priced = { costMicros: bigint; stock: number }

function readEntry(entry: Record<string, unknown>, shape: BoughtDialect['prices']['shape']): Priced | null {
  if (shape === 'cost') return readStep(entry.cost ?? entry.price, entry.count)
  const steps = Object.entries(entry).map(([price, count]) => readStep(price, count))
  if (steps.some((step) => step === null)) return null
  const inStock = steps.filter((step) => step !== null).filter(({ stock }) => stock > 0)
  // A purchase pays at most the lowest price, so only the stock at that price is for sale.
  return inStock.toSorted((one, other) => (one.costMicros < other.costMicros ? -1 : 1))[0] ?? null
}

function readStep(price: unknown, count: unknown): Priced | null {
  const costMicros = readAmount(price)
  const counted = textOf(count)
  if (costMicros === null || costMicros === 0n || counted === null || !/^\d{1,9}$/.test(counted)) return null
  return { costMicros, stock: Math.min(Number(counted), MAX_STOCK) }
}
