import { MINUTE } from '#contract/time.ts'
import type { Clock } from '#server/clock.ts'

/** Longer than a purchase asks suppliers: whoever reserved before that looks into the database in any case. */
export const REMEMBERED_MS = MINUTE

/** The order of messages within one number, and the numbers that messages came for before anybody held them. */
export type MessageTurns = {
  /** Runs `work` after whatever else is under way for this number. Throws when too many messages wait. */
  take<T>(phone: string, work: () => Promise<T>): Promise<T>
  /** A message for this number was stored unmatched. Called within its turn. */
  noteUnmatched(phone: string): void
  /** Whether a message that came in the last REMEMBERED_MS may be unmatched, or is just being stored. */
  mayBeUnmatched(phone: string): boolean
}

/** Messages that wait for those of the same number before them; a peer whose message is one too many sends it again. */
const MAX_WAITING = 10_000
/** Numbers remembered; with more, every purchase looks for a while. */
const MAX_NOTED = 20_000

/** In memory: one process serves a database, and `handOverLeft` takes up what a crash left. */
export function createMessageTurns(clock: Clock): MessageTurns {
  const underWay = new Map<string, Promise<unknown>>()
  let waiting = 0
  /** Each with the time of its newest message, oldest first. */
  const noted = new Map<string, number>()
  let overflowedUntil = Number.NEGATIVE_INFINITY

  const forgetOld = (now: number): void => {
    for (const [phone, at] of noted) {
      if (at > now - REMEMBERED_MS) return
      noted.delete(phone)
    }
  }

  return {
    async take(phone, work) {
      if (waiting >= MAX_WAITING) throw new Error('too many messages wait for their turn')
      waiting += 1
      const mine = (underWay.get(phone) ?? Promise.resolve()).then(work)
      const settled = mine.then(nothing, nothing)
      underWay.set(phone, settled)
      try {
        return await mine
      } finally {
        waiting -= 1
        if (underWay.get(phone) === settled) underWay.delete(phone)
      }
    },
    noteUnmatched(phone) {
      const now = clock.now().getTime()
      noted.delete(phone)
      noted.set(phone, now)
      if (noted.size <= MAX_NOTED) return
      forgetOld(now)
      if (noted.size <= MAX_NOTED) return
      noted.clear()
      overflowedUntil = now + REMEMBERED_MS
    },
    mayBeUnmatched(phone) {
      const now = clock.now().getTime()
      const at = noted.get(phone)
      return underWay.has(phone) || (at !== undefined && at > now - REMEMBERED_MS) || now <= overflowedUntil
    },
  }
}

const nothing = (): undefined => undefined
