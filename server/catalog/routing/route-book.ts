import { HOUR, MINUTE } from '#contract/time.ts'

export type RouteRule = { weightPercent: number; perMinute: number | null }

/** As sums whose older parts fade. */
export type Counts = { codes: number; failures: number }

/** A supplier that turns bad is seen after about so many purchases. */
const MEMORY_PURCHASES = 40
/** What is not bought any more is forgotten, and so tried again. */
const HALF_LIFE_MS = 3 * HOUR
/** What a newcomer is taken for: the mean of 0.6 with the weight of two purchases, so it is tried. */
export const PRIOR: Counts = { codes: 1.2, failures: 0.8 }
const NO_RULE: RouteRule = { weightPercent: 100, perMinute: null }

type Kept = Counts & { at: number }

/** What routing knows, in memory: outcomes of late by supplier, service and country, the operator's rules, and this minute's purchases. */
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

  note(outcome: {
    supplierId: number
    serviceCode: string
    countryId: number
    purchases: number
    codes: number
    now: Date
  }): void {
    const { purchases, codes, now } = outcome
    const name = nameOf(outcome)
    const known = this.#fade(name, now)
    // As if the codes had come evenly.
    const kept = (1 - 1 / MEMORY_PURCHASES) ** purchases
    const added = MEMORY_PURCHASES * (1 - kept)
    const share = codes / purchases
    this.#counts.set(name, {
      codes: known.codes * kept + added * share,
      failures: known.failures * kept + added * (1 - share),
      at: now.getTime(),
    })
  }

  /** Null: nothing was bought of late. */
  countsOf(pair: { supplierId: number; serviceCode: string; countryId: number }, now: Date): Counts | null {
    const name = nameOf(pair)
    return this.#counts.has(name) ? this.#fade(name, now) : null
  }

  /** False: it has sold as many this minute as it may. */
  mayBuy(supplierId: number, now: Date): boolean {
    const { perMinute } = this.ruleOf(supplierId)
    return perMinute === null || this.#countOf(supplierId, now) < perMinute
  }

  countPurchase(supplierId: number, now: Date): void {
    this.#ofMinute.set(supplierId, { minute: minuteOf(now), count: this.#countOf(supplierId, now) + 1 })
  }

  #countOf(supplierId: number, now: Date): number {
    const known = this.#ofMinute.get(supplierId)
    return known?.minute === minuteOf(now) ? known.count : 0
  }

  #fade(name: string, now: Date): Counts {
    const known = this.#counts.get(name)
    if (known === undefined) return { codes: 0, failures: 0 }
    const part = 0.5 ** (Math.max(0, now.getTime() - known.at) / HALF_LIFE_MS)
    return { codes: known.codes * part, failures: known.failures * part }
  }
}

function minuteOf(now: Date): number {
  return Math.floor(now.getTime() / MINUTE)
}

function nameOf({
  supplierId,
  serviceCode,
  countryId,
}: {
  supplierId: number
  serviceCode: string
  countryId: number
}): string {
  return `${supplierId}|${serviceCode}|${countryId}`
}
