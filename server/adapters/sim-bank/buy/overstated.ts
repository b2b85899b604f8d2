import { MINUTE } from '#contract/time.ts'

/** Tracks pairs of service and country whose declared numbers the bank does not give. */
export type Overstated = {
  listed(): void
  /** Records NO_NUMBERS for a purchase without excluded prefixes. Returns true if sales of the pair stop now. */
  refused(pair: string, now: Date): boolean
  gave(pair: string): void
  isClosed(pair: string, now: Date): boolean
}

/**
 * Sales of a pair stop after refusals that follow this number of stock lists. A list may be older than the last sale.
 */
const LISTS = 3
/** The time for which sales of a pair stop. Other platforms use the same time. */
const CLOSED_MS = 30 * MINUTE

export function createOverstated(): Overstated {
  let list = 0
  const refusals = new Map<string, { lists: number; last: number }>()
  const closed = new Map<string, number>()
  return {
    listed() {
      list += 1
    },
    refused(pair, now) {
      const { lists, last } = refusals.get(pair) ?? { lists: 0, last: -1 }
      if (last === list) return false
      refusals.set(pair, { lists: lists + 1, last: list })
      if (lists + 1 < LISTS) return false
      refusals.delete(pair)
      closed.set(pair, now.getTime() + CLOSED_MS)
      return true
    },
    gave(pair) {
      refusals.delete(pair)
    },
    isClosed(pair, now) {
      const until = closed.get(pair)
      if (until !== undefined && until <= now.getTime()) closed.delete(pair)
      return until !== undefined && until > now.getTime()
    },
  }
}

/**
 * Returns a key for a service, country and operator. Only combinations with offers occur, so the number of keys is
 * limited.
 */
export function pairOf(of: { serviceCode: string; countryId: number; operator: string }): string {
  return JSON.stringify([of.serviceCode, of.countryId, of.operator])
}
