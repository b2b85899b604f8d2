import { MINUTE } from '#contract/time.ts'
import { boundedCache } from '#server/house/bounded-cache.ts'
import type { Clock } from '#server/house/clock.ts'
import type { Context } from '#server/house/context.ts'
import { Semaphore } from '#server/house/limits/semaphore.ts'
import { perContext } from '#server/house/memory.ts'
import { isSandbox } from '#server/house/sandbox.ts'

/** Longer than a purchase asks suppliers. */
export const REMEMBERED_MS = MINUTE

/**
 * Orders the messages of each number, and remembers numbers with early messages and numbers that are held. Messages for
 * all others share a few connections, so that junk delays no code. Memory only decides who waits; the database decides
 * whose a message is.
 */
export type MessageQueue = {
  /** Throws when too many messages wait. */
  run<T>(phone: string, work: () => Promise<T>): Promise<T>
  /** The same for a message: unless its number is known to be held, it waits for a place. */
  runMessage<T>(phone: string, work: () => Promise<T>): Promise<T>
  /** Its waiting messages leave the queue. */
  noteHeld(phone: string): void
  /** As far as a message saw: what was noted a moment ago stays. */
  noteUnheld(phone: string): void
  /** Called within its work. */
  noteUnmatched(phone: string): void
  /** In the last REMEMBERED_MS. */
  mayBeUnmatched(phone: string): boolean
}

/** Beyond it messages are refused, and their peers send them again. */
const MAX_WAITING = 10_000
/** Counted apart, so that junk takes no place of the others. */
const MAX_UNHELD_WAITING = 5_000
/** Of the pool's ten connections. */
const UNHELD_PARALLEL = 3
/** The same of messages for play numbers. They wait for each other, and no real one for them. */
export const PLAY_PARALLEL = 2
/** Least recently used numbers are forgotten. */
export const MAX_HELD = 100_000
/** With more, every purchase looks for a while. */
const MAX_NOTED = 20_000

/** `handOverLeft` takes up what a crash left. `parallel`: of all messages; else only those for unknown numbers have a limit. */
export function createMessageQueue(clock: Clock, { parallel }: { parallel?: number } = {}): MessageQueue {
  const phones = createPhoneMutex()
  let waiting = 0
  let unheldWaiting = 0
  const unheld = new Semaphore({ parallel: UNHELD_PARALLEL })
  const all = parallel === undefined ? null : new Semaphore({ parallel })
  const held = boundedCache<string, number>(MAX_HELD)
  /** Newest message by number, oldest first. */
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
      // Its purchase may have been settled meanwhile.
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

/** Work for one phone runs in order of arrival, one at a time. */
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
  { scope: 'world', lost: 'messages nobody has acknowledged: suppliers send them again' },
  (ctx: Pick<Context, 'clock' | 'memory'>) =>
    createMessageQueue(ctx.clock, isSandbox(ctx) ? { parallel: PLAY_PARALLEL } : {}),
)
