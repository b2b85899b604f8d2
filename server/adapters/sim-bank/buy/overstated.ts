import { MINUTE } from '#contract/time.ts'

/** Pairs of which a bank declares numbers that it does not give. */
export type Overstated = {
  /** A list has come. */
  listed(): void
  /** NO_NUMBERS to a purchase that excluded nothing. */
  refused(pair: string, now: Date): boolean
  gave(pair: string): void
  isClosed(pair: string, now: Date): boolean
}

/** One list may be older than the last sale; three in a row are not. */
const LISTS = 3
/** As long as the field blocks for it. */
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

/** Pairs are those of offers, so there are no more of them than offers. */
export function pairOf(of: { serviceCode: string; countryId: number; operator: string }): string {
  return JSON.stringify([of.serviceCode, of.countryId, of.operator])
}
