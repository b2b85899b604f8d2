import type { Log } from '#server/log.ts'

/** What is still to happen to each number, by its reference. */
export type Timers = {
  later(reference: string, afterMs: number, work: () => Promise<void>): void
  forget(reference: string): void
  forgetAll(): void
}

export function createTimers(log: Log): Timers {
  const timers = new Map<string, Set<NodeJS.Timeout>>()

  const forget = (reference: string): void => {
    for (const timer of timers.get(reference) ?? []) clearTimeout(timer)
    timers.delete(reference)
  }

  return {
    later(reference, afterMs, work) {
      const pending = timers.get(reference) ?? new Set()
      timers.set(reference, pending)
      const timer = setTimeout(() => {
        pending.delete(timer)
        if (pending.size === 0 && timers.get(reference) === pending) timers.delete(reference)
        work().catch((error: unknown) => log.error({ error, reference }, 'the simulator could not deliver'))
      }, afterMs)
      pending.add(timer)
    },
    forget,
    forgetAll() {
      for (const reference of [...timers.keys()]) forget(reference)
    },
  }
}
