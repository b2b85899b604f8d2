import { HOUR, MINUTE } from '#contract/time.ts'
import { perContext } from '#server/house/memory.ts'

export type RouteRule = { weightPercent: number; perMinute: number | null }

/** Sums that decay over time. `logSeconds` sums the logarithms of the seconds from purchase to first code. */
export type Counts = { codes: number; failures: number; logSeconds: number }

/** The maximum total weight of remembered purchases. A supplier that turns bad is noticed after about as many. */
const MEMORY_PURCHASES = 40
/**
 * The maximum weight of one buyer's purchases, of which newer ones replace older ones. Otherwise one account that
 * cancels would divert everybody's purchases.
 */
const MEMORY_OF_BUYER = 4
/**
 * The minimum number of other buyers for leaving out the buyer with most failures. Otherwise too little would be known.
 */
const LEAST_OTHERS = 3
/** Buyers whose weight is below this limit are merged into one sum, which keeps the data of a pair small. */
const LEAST_PART = 0.5
/**
 * The half-life of a supplier's counts for a service and country. Old failures fade, so the supplier is tried again.
 */
const HALF_LIFE_MS = 3 * HOUR
/** The assumption about a supplier without purchases: a share of 0.6 with the weight of two, and 30 s to a code. */
export const PRIOR: Counts = { codes: 1.2, failures: 0.8, logSeconds: 1.2 * Math.log(30) }
const NO_RULE: RouteRule = { weightPercent: 100, perMinute: null }

/** `rest` sums the buyers whose weight has decayed below the minimum. */
type Kept = { buyers: ReadonlyMap<number, Counts>; rest: Counts; at: number }

const NOTHING: Counts = { codes: 0, failures: 0, logSeconds: 0 }

export type RoutedPair = { supplierId: number; serviceCode: string; countryId: number; rented?: boolean }
type Outcome = RoutedPair & { userId: number; purchases: number; codes: number; logSeconds?: number; now: Date }

export class RouteBook {
  #rules: ReadonlyMap<number, RouteRule> = new Map()
  readonly #counts = new Map<string, Kept>()
  readonly #ofMinute = new Map<number, { minute: number; count: number }>()

  setRules(rules: ReadonlyMap<number, RouteRule>): void {
    this.#rules = rules
  }

  ruleOf(supplierId: number): RouteRule {
    return this.#rules.get(supplierId) ?? NO_RULE
  }

  forgetOutcomes(): void {
    this.#counts.clear()
  }

  note(outcome: Outcome): void {
    const { userId, purchases, codes, logSeconds = 0, now } = outcome
    const name = nameOf(outcome)
    const known = this.#counts.get(name)
    const faded = known === undefined ? 1 : fadingOf(known, now)
    const before = scaled(known?.buyers.get(userId) ?? NOTHING, faded)
    // The weighting of several purchases at once assumes that codes are spread evenly over them.
    const kept = (1 - 1 / MEMORY_OF_BUYER) ** purchases
    const added = MEMORY_OF_BUYER * (1 - kept)
    const fresh = { codes, failures: purchases - codes, logSeconds }
    const own = sumOf(scaled(before, kept), scaled(fresh, added / purchases))
    // Other buyers lose weight only as far as this buyer's total weight grows. Purchases that replace the buyer's own
    // older purchases take nothing from others.
    const gained = Math.max(0, weightOf(own) - weightOf(before))
    const part = faded * (1 - gained / MEMORY_PURCHASES)
    let rest = scaled(known?.rest ?? NOTHING, part)
    const buyers = new Map([[userId, own]])
    for (const [id, counts] of known?.buyers ?? []) {
      if (id === userId) continue
      const left = scaled(counts, part)
      if (weightOf(left) < LEAST_PART) rest = sumOf(rest, left)
      else buyers.set(id, left)
    }
    this.#counts.set(name, { buyers, rest, at: now.getTime() })
  }

  /**
   * Returns a supplier's counts for a buyer; null without recent purchases. The buyer's own outcomes all count. Among
   * several other buyers, the one with most failures is left out, so that an account that cancels diverts hardly any
   * purchases.
   */
  countsOf({ userId, ...pair }: RoutedPair & { userId: number }, now: Date): Counts | null {
    const known = this.#counts.get(nameOf(pair))
    if (known === undefined) return null
    const others = [...known.buyers].flatMap(([id, counts]) => (id === userId ? [] : [counts]))
    const [worst, ...better] = others.toSorted((one, other) => other.failures - one.failures)
    const counted = worst === undefined || others.length < LEAST_OTHERS ? others : better
    const own = known.buyers.get(userId) ?? NOTHING
    return scaled(counted.reduce(sumOf, sumOf(known.rest, own)), fadingOf(known, now))
  }

  mayBuy(supplierId: number, now: Date): boolean {
    const { perMinute } = this.ruleOf(supplierId)
    return perMinute === null || this.#countOf(supplierId, now) < perMinute
  }

  /** Counts one more purchase from the supplier. Returns the count of the minute. */
  countPurchase(supplierId: number, now: Date): number {
    const count = this.#countOf(supplierId, now) + 1
    this.#ofMinute.set(supplierId, { minute: minuteOf(now), count })
    return count
  }

  #countOf(supplierId: number, now: Date): number {
    const known = this.#ofMinute.get(supplierId)
    return known?.minute === minuteOf(now) ? known.count : 0
  }
}

function fadingOf({ at }: Kept, now: Date): number {
  return 0.5 ** (Math.max(0, now.getTime() - at) / HALF_LIFE_MS)
}

function scaled({ codes, failures, logSeconds }: Counts, part: number): Counts {
  return { codes: codes * part, failures: failures * part, logSeconds: logSeconds * part }
}

function sumOf(one: Counts, other: Counts): Counts {
  return {
    codes: one.codes + other.codes,
    failures: one.failures + other.failures,
    logSeconds: one.logSeconds + other.logSeconds,
  }
}

function weightOf({ codes, failures }: Counts): number {
  return codes + failures
}

export function minuteOf(now: Date): number {
  return Math.floor(now.getTime() / MINUTE)
}

function nameOf({ supplierId, serviceCode, countryId, rented = false }: RoutedPair): string {
  return `${rented ? 'rent' : 'buy'}|${supplierId}|${serviceCode}|${countryId}`
}

/** Returns the usual seconds until the first code: the geometric mean, which a few late codes change little. */
export function usualSecondsOf(counts: Counts): number {
  return Math.exp((counts.logSeconds + PRIOR.logSeconds) / (counts.codes + PRIOR.codes))
}

export const routeBookOf = perContext(
  'routes',
  { scope: 'world', nodes: 'told', lost: 'nothing: it is read from the tables' },
  () => new RouteBook(),
)
