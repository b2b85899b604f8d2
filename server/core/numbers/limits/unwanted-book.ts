import { HOUR } from '#contract/time.ts'
import type { BoughtPair } from '#server/core/catalog/offers/outcome-queries.ts'
import { perContext } from '#server/house/memory.ts'

/** The maximum number of counts in memory, more than an hour brings. Above it the oldest count is dropped. */
const MOST_COUNTS = 10_000

/** Counts in memory, by buyer, service and country, the numbers that a buyer got although they were excluded. */
export class UnwantedBook {
  readonly #counts = new Map<string, { since: Date; count: number }>()

  /** Counts one more purchase and returns the count within the last hour. */
  count(pair: BoughtPair, now: Date): number {
    const name = nameOf(pair)
    const known = this.#counts.get(name)
    const isFresh = known !== undefined && now.getTime() - known.since.getTime() < HOUR
    const next = isFresh ? { ...known, count: known.count + 1 } : { since: now, count: 1 }
    this.#counts.set(name, next)
    const [oldest] = this.#counts.keys()
    if (this.#counts.size > MOST_COUNTS && oldest !== undefined) this.#counts.delete(oldest)
    return next.count
  }

  forget(pair: BoughtPair): void {
    this.#counts.delete(nameOf(pair))
  }
}

function nameOf({ userId, serviceCode, countryId }: BoughtPair): string {
  return `${userId}|${serviceCode}|${countryId}`
}

export const unwantedBookOf = perContext(
  'unwanted numbers',
  { scope: 'world', nodes: 'counted', lost: 'which numbers buyers excluded and got all the same' },
  () => new UnwantedBook(),
)
