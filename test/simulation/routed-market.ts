import { SECOND } from '#contract/time.ts'
import { orderCandidates } from '#server/core/catalog/routing/order-candidates.ts'
import { RouteBook, usualSecondsOf } from '#server/core/catalog/routing/route-book.ts'

/** A seller of numbers. A `share` of its numbers receives a code, usually after `seconds`. */
export type Seller = { cost: number; share: number; seconds?: number }

/** Returns a random generator (mulberry32). The same seed always gives the same numbers. */
export function seededRandom(seed: number): { below(limit: number): number } {
  let state = seed
  const next = () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  return { below: (limit) => Math.floor(((next() * 2 ** 32 + next()) / 2 ** 32) * limit) }
}

const PAIR = { serviceCode: 'tg', countryId: 2 }
const BUYERS = 100
/** The user id of a thief, which belongs to none of the ordinary buyers. */
const THIEF = BUYERS
const BETWEEN_MS = 2 * SECOND
const SECONDS = 30

export class RoutedMarket {
  readonly #random: { below(limit: number): number }
  readonly #book = new RouteBook()
  sellers: Seller[]
  #now = Date.parse('2026-03-01T12:00:00Z')

  constructor(seed: number, sellers: Seller[]) {
    this.#random = seededRandom(seed)
    this.sellers = sellers
  }

  buy(): { seller: number; coded: boolean } {
    this.#now += BETWEEN_MS
    const userId = this.#random.below(BUYERS)
    const seller = this.#choose(userId)
    const coded = this.#draw(seller)
    this.#note({ seller, userId, coded })
    return { seller, coded }
  }

  /** Buys as a thief, who cancels numbers of the seller `against` and accepts codes of other sellers. */
  steal(against: number): void {
    const seller = this.#choose(THIEF)
    this.#note({ seller, userId: THIEF, coded: seller !== against && this.#draw(seller) })
  }

  #choose(userId: number): number {
    const now = new Date(this.#now)
    const [first] = orderCandidates(
      this.#random,
      this.sellers.map(({ cost }, supplierId) => {
        const counts = this.#book.countsOf({ supplierId, ...PAIR, userId }, now)
        const seconds = usualSecondsOf(counts ?? { codes: 0, failures: 0, logSeconds: 0 })
        return { offer: supplierId, cost, weightPercent: 100, counts, seconds }
      }),
    )
    return first?.offer ?? 0
  }

  #draw(seller: number): boolean {
    return this.#random.below(1_000_000) < (this.sellers[seller]?.share ?? 0) * 1_000_000
  }

  #note({ seller, userId, coded }: { seller: number; userId: number; coded: boolean }): void {
    const outcome = { supplierId: seller, ...PAIR, userId, purchases: 1, codes: coded ? 1 : 0 }
    const logSeconds = coded ? Math.log(this.#secondsOf(seller)) : 0
    this.#book.note({ ...outcome, logSeconds, now: new Date(this.#now) })
  }

  /** Draws the seconds until a code, from half to twice the seller's usual time. */
  #secondsOf(seller: number): number {
    const usual = this.sellers[seller]?.seconds
    return usual === undefined ? SECONDS : usual * 2 ** (this.#random.below(2_000_001) / 1_000_000 - 1)
  }

  /** Returns the extra cost of a code, compared with the best seller: 0.1 is 10 %. A failed purchase costs no money. */
  regretOf(purchases: number): number {
    const value = ({ share, cost }: Seller) => share / cost
    const best = Math.max(...this.sellers.map(value))
    let found = 0
    for (let count = 0; count < purchases; count += 1) {
      const seller = this.sellers[this.buy().seller]
      if (seller !== undefined) found += value(seller)
    }
    return 1 - found / (best * purchases)
  }

  countTo(seller: number, purchases: number): number {
    return Array.from({ length: purchases }, () => this.buy().seller).filter((one) => one === seller).length
  }
}
