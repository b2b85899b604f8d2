import { randomBytes, randomInt, randomUUID } from 'node:crypto'
import { DAY } from '#contract/time.ts'

/** Where the time comes from. Tests pass a clock they move themselves. */
export type Clock = { now(): Date }

/** The clock of a process that works on the database. */
export type ServiceClock = Clock & {
  /** The machine's own time, for what others measure as well: codes of authenticator apps. */
  wall(): Date
  /** Another process has stored this time: from here on it is over. Returns by how many ms the machine is behind it. */
  continueFrom(stored: Date): number
}

/** Where chance comes from. */
export type Random = {
  bytes(length: number): Buffer
  /** A whole number, 0 ≤ n < limit. */
  below(limit: number): number
  uuid(): string
}

/** While it is ahead of the machine's, time goes so fast: within ten times the set-back both are one again. */
const CATCH_UP_RATE = 0.9
/** A machine that was ahead by more had a wrong date. Its time is not kept up: sessions, sums and deadlines have dates. */
export const MAX_AHEAD_MS = DAY

/**
 * The machine's clock, less its steps back. Whose a message is, what has expired and what may be cancelled are decided by
 * comparing times: orders of before a step back must not lie in the future. `wall` and `elapsed` in ms; `elapsed` counts
 * from anywhere and is never set.
 */
export function createServiceClock(
  wall: () => number = () => Date.now(),
  elapsed: () => number = () => performance.now(),
): ServiceClock {
  let told = wall()
  let toldAt = elapsed()
  function now(): number {
    const at = elapsed()
    const steady = told + (at - toldAt) * CATCH_UP_RATE
    const machine = wall()
    told = steady - machine > MAX_AHEAD_MS ? machine : Math.max(steady, machine)
    toldAt = at
    return told
  }
  return {
    now: () => new Date(now()),
    wall: () => new Date(wall()),
    continueFrom(stored) {
      told = Math.max(now(), stored.getTime())
      return Math.max(0, stored.getTime() - wall())
    },
  }
}

export const systemRandom: Random = {
  bytes: (length) => randomBytes(length),
  below: (limit) => randomInt(limit),
  uuid: () => randomUUID(),
}
