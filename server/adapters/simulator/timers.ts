import type { Log } from '#server/house/log.ts'

/** The first delay of a retry. Delays double, as at a carrier with an unacknowledged message. */
const FIRST_RETRY_MS = 500
const LONGEST_RETRY_MS = 30_000
const MAX_ATTEMPTS = 15

type Work = () => Promise<void>

export type Timers = {
  later(reference: string, afterMs: number, work: Work): void
  has(reference: string): boolean
  forget(reference: string): void
  forgetAll(): void
}

export function createTimers(log: Log): Timers {
  const timers = new Map<string, Set<NodeJS.Timeout>>()
  let stopped = false

  const forget = (reference: string): void => {
    for (const timer of timers.get(reference) ?? []) clearTimeout(timer)
    timers.delete(reference)
  }

  const schedule = (reference: string, afterMs: number, { work, attempt }: { work: Work; attempt: number }): void => {
    const pending = timers.get(reference) ?? new Set()
    timers.set(reference, pending)
    const timer = setTimeout(() => {
      pending.delete(timer)
      if (pending.size === 0 && timers.get(reference) === pending) timers.delete(reference)
      work().catch((error: unknown) => {
        if (attempt >= MAX_ATTEMPTS || stopped) {
          log.error({ error, reference }, 'the simulator could not deliver')
          return
        }
        const retryMs = Math.min(FIRST_RETRY_MS * 2 ** (attempt - 1), LONGEST_RETRY_MS)
        schedule(reference, retryMs, { work, attempt: attempt + 1 })
      })
    }, afterMs)
    pending.add(timer)
  }

  return {
    later(reference, afterMs, work) {
      stopped = false
      schedule(reference, afterMs, { work, attempt: 1 })
    },
    has: (reference) => timers.has(reference),
    forget,
    forgetAll() {
      stopped = true
      for (const reference of [...timers.keys()]) forget(reference)
    },
  }
}
