import { MINUTE } from '#contract/time.ts'
import { boundedCache } from '#server/house/bounded-cache.ts'
import type { Clock } from '#server/house/clock.ts'
import type { Context } from '#server/house/context.ts'
import { Semaphore } from '#server/house/limits/semaphore.ts'
import { perContext } from '#server/house/memory.ts'
import { isSandbox } from '#server/house/sandbox.ts'

/** The time that a number is remembered, in ms. A purchase spends less time on trying suppliers. */
export const REMEMBERED_MS = MINUTE

/**
 * Orders the messages of each number. Remembers held numbers and numbers with early messages. Messages for all other
 * numbers share a few connections, so junk delays no code. The memory only decides which message waits; the database
 * decides whose a message is.
 */
export type MessageQueue = {
  /** Runs `work` in the queue of the number. Throws if too many messages wait. */
  run<T>(phone: string, work: () => Promise<T>): Promise<T>
  /**
   * Runs `work` for a message in the queue of the number. If the number is not known to be held, the message also waits
   * for one of the few connections for junk.
   */
  runMessage<T>(phone: string, work: () => Promise<T>): Promise<T>
  /** Marks the number as held, so that its waiting messages no longer wait with the junk. */
  noteHeld(phone: string): void
  /** Unmarks a number as held, after a message found no holder. A mark made within the last REMEMBERED_MS stays. */
  noteUnheld(phone: string): void
  /** Records that the number has an unmatched message. Must be called inside the queued work. */
  noteUnmatched(phone: string): void
  /** Returns true if the number may have an unmatched message of the last REMEMBERED_MS. */
  mayBeUnmatched(phone: string): boolean
}

/** The maximum number of waiting messages. Further messages are refused, and suppliers send them again. */
const MAX_WAITING = 10_000
/** The maximum number of waiting messages for numbers that nobody holds, so that junk leaves room in the queue. */
const MAX_UNHELD_WAITING = 5_000
/** The maximum number of the pool's ten connections that messages for numbers that nobody holds may use. */
const UNHELD_PARALLEL = 3
/** The maximum number of connections that sandbox messages use, so that no real message waits for them. */
export const PLAY_PARALLEL = 2
export const MAX_HELD = 100_000
/** The maximum number of remembered numbers with unmatched messages. Above it every purchase reads the database. */
const MAX_NOTED = 20_000

/**
 * Creates the queue that runs the messages of each number one after another. `parallel` limits how many messages run at
 * once; without it, only messages for unheld numbers are limited. A crash empties the queue's memory; `handOverLeft`
 * then finds the unmatched messages from before the crash.
 */
export function createMessageQueue(clock: Clock, { parallel }: { parallel?: number } = {}): MessageQueue {
  const phones = createPhoneMutex()
  let waiting = 0
  let unheldWaiting = 0
  const unheld = new Semaphore({ parallel: UNHELD_PARALLEL })
  const all = parallel === undefined ? null : new Semaphore({ parallel })
  const held = boundedCache<string, number>(MAX_HELD)
  /** Maps a number to the time of its newest unmatched message, oldest first. */
  const noted = new Map<string, number>()
  let overflowedUntil = Number.NEGATIVE_INFINITY

  const forgetOld = (now: number): void => {
    for (const [phone, at] of noted) {
      if (at > now - REMEMBERED_MS) return
      noted.delete(phone)
    }
  }

  const run = async <T>(phone: string, work: () => Promise<T>): Promise<T> => {
    if (waiting >= MAX_WAITING) throw new Error('too many messages wait for their numbers')
    waiting += 1
    try {
      return await phones.run(phone, () => (all === null ? work() : all.run(work, { key: phone })))
    } finally {
      waiting -= 1
    }
  }

  return {
    run,
    async runMessage(phone, work) {
      if (held.has(phone)) return run(phone, work)
      if (unheldWaiting >= MAX_UNHELD_WAITING) {
        throw new Error('too many messages wait for numbers that nobody is known to hold')
      }
      unheldWaiting += 1
      try {
        return await phones.run(phone, () => (held.has(phone) ? work() : unheld.run(work, { key: phone })))
      } finally {
        unheldWaiting -= 1
      }
    },
    noteHeld(phone) {
      held.set(phone, clock.now().getTime())
      unheld.letPast(phone)
    },
    noteUnheld(phone) {
      // A purchase of the number may have been settled while the message was processed.
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
      return phones.has(phone) || (at !== undefined && at > now - REMEMBERED_MS) || now <= overflowedUntil
    },
  }
}

function createPhoneMutex() {
  const last = new Map<string, Promise<unknown>>()
  return {
    has: (phone: string) => last.has(phone),
    async run<T>(phone: string, work: () => Promise<T>): Promise<T> {
      const mine = (last.get(phone) ?? Promise.resolve()).then(work)
      const settled = mine.then(nothing, nothing)
      last.set(phone, settled)
      try {
        return await mine
      } finally {
        if (last.get(phone) === settled) last.delete(phone)
      }
    },
  }
}

const nothing = (): undefined => undefined

export const messageQueueOf = perContext(
  'message queue',
  { scope: 'world', nodes: 'own', lost: 'messages nobody has acknowledged: suppliers send them again' },
  (ctx: Pick<Context, 'clock' | 'memory'>) =>
    createMessageQueue(ctx.clock, isSandbox(ctx) ? { parallel: PLAY_PARALLEL } : {}),
)
