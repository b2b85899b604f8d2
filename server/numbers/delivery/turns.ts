import { MINUTE } from '#contract/time.ts'
import { boundedCache } from '#server/bounded-cache.ts'
import type { Clock } from '#server/clock.ts'
import { createLane } from './lane.ts'

/** Longer than a purchase asks suppliers: whoever reserved before that looks into the database in any case. */
export const REMEMBERED_MS = MINUTE

/**
 * The order of messages within one number, and the numbers that messages came for before anybody held them. Numbers that somebody
 * is known to hold are remembered: messages for all others share a few connections, so that junk delays no code. Whoever is
 * wrongly remembered or forgotten waits less or more, and nothing else: whose a message is, the database says.
 */
export type MessageTurns = {
  /** Runs `work` after whatever else is under way for this number. Throws when too many messages wait. */
  take<T>(phone: string, work: () => Promise<T>): Promise<T>
  /** The same with a message that came: for a number that nobody is known to hold it waits for a place as well. */
  takeMessage<T>(phone: string, work: () => Promise<T>): Promise<T>
  /** Somebody holds this number. What waits for a place goes past. */
  noteHeld(phone: string): void
  /** Nobody did, as far as a message for it saw: what was noted a moment ago stays. */
  noteUnheld(phone: string): void
  /** A message for this number was stored unmatched. Called within its turn. */
  noteUnmatched(phone: string): void
  /** Whether a message that came in the last REMEMBERED_MS may be unmatched, or is just being stored. */
  mayBeUnmatched(phone: string): boolean
}

/** Messages that wait for those of the same number before them; a peer whose message is one too many sends it again. */
const MAX_WAITING = 10_000
/** The same of messages for numbers that nobody is known to hold, which count apart: junk fills no place of the others. */
const MAX_UNHELD_WAITING = 5_000
/** Of the ten connections of the pool, one for each statement. */
const UNHELD_PARALLEL = 3
/** Numbers known to be held; of more, those that heard nothing for longest wait with the junk. */
export const MAX_HELD = 100_000
/** Numbers remembered; with more, every purchase looks for a while. */
const MAX_NOTED = 20_000

/** In memory: one process serves a database, and `handOverLeft` takes up what a crash left. */
export function createMessageTurns(clock: Clock): MessageTurns {
  const underWay = new Map<string, Promise<unknown>>()
  let waiting = 0
  let unheldWaiting = 0
  const unheld = createLane({ parallel: UNHELD_PARALLEL })
  /** Each with the time it was noted last. */
  const held = boundedCache<string, number>(MAX_HELD)
  /** Each with the time of its newest message, oldest first. */
  const noted = new Map<string, number>()
  let overflowedUntil = Number.NEGATIVE_INFINITY

  const forgetOld = (now: number): void => {
    for (const [phone, at] of noted) {
      if (at > now - REMEMBERED_MS) return
      noted.delete(phone)
    }
  }

  const inTurn = async <T>(phone: string, work: () => Promise<T>): Promise<T> => {
    const mine = (underWay.get(phone) ?? Promise.resolve()).then(work)
    const settled = mine.then(nothing, nothing)
    underWay.set(phone, settled)
    try {
      return await mine
    } finally {
      if (underWay.get(phone) === settled) underWay.delete(phone)
    }
  }

  const take = async <T>(phone: string, work: () => Promise<T>): Promise<T> => {
    if (waiting >= MAX_WAITING) throw new Error('too many messages wait for their turn')
    waiting += 1
    try {
      return await inTurn(phone, work)
    } finally {
      waiting -= 1
    }
  }

  return {
    take,
    async takeMessage(phone, work) {
      if (held.has(phone)) return take(phone, work)
      if (unheldWaiting >= MAX_UNHELD_WAITING) {
        throw new Error('too many messages wait for numbers that nobody is known to hold')
      }
      unheldWaiting += 1
      try {
        return await inTurn(phone, () => (held.has(phone) ? work() : unheld.run(phone, work)))
      } finally {
        unheldWaiting -= 1
      }
    },
    noteHeld(phone) {
      held.set(phone, clock.now().getTime())
      unheld.letPast(phone)
    },
    noteUnheld(phone) {
      // A purchase may have been settled while the message looked.
      if ((held.peek(phone) ?? 0) <= clock.now().getTime() - REMEMBERED_MS) held.delete(phone)
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
