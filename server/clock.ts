import { randomBytes, randomInt, randomUUID } from 'node:crypto'
import { DAY, SECOND } from '#contract/time.ts'

/** Where the time comes from. Tests pass a clock they move themselves. */
export type Clock = { now(): Date }

/** The clock of a process that works on the database. */
export type ServiceClock = Clock & {
  /** The machine's own time, for what others measure as well: codes of authenticator apps. */
  wall(): Date
  /** Another process has stored this time: from here on it is over. */
  continueFrom(stored: Date): void
}

/** The machine's clock stands `behindMs` before the time that was. `isKept`: time goes on from there. */
export type SetBack = { behindMs: number; isKept: boolean }

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
const MAX_AHEAD_MS = DAY
/** Less is what clocks are corrected by every day. */
const TOLD_FROM_MS = SECOND

type ServiceClockOptions = {
  /** The machine's time, in ms. */
  wall?: () => number
  /** What really goes by, in ms from anywhere: it is never set. */
  elapsed?: () => number
  onSetBack?: (step: SetBack) => void
}

/**
 * The machine's clock, less its steps back. Whose a message is, what has expired and what may be cancelled are decided by
 * comparing times: orders of before a step back must not lie in the future.
 */
export function createServiceClock(options: ServiceClockOptions = {}): ServiceClock {
  const { wall = () => Date.now(), elapsed = () => performance.now(), onSetBack } = options
  let told = wall()
  let toldAt = elapsed()
  let aheadMs = 0
  function now(): number {
    const at = elapsed()
    const steady = told + (at - toldAt) * CATCH_UP_RATE
    const machine = wall()
    const behindMs = steady - machine
    const isKept = behindMs <= MAX_AHEAD_MS
    const isStep = !isKept || behindMs > aheadMs + TOLD_FROM_MS
    told = isKept ? Math.max(steady, machine) : machine
    toldAt = at
    aheadMs = told - machine
    if (isStep) onSetBack?.({ behindMs: Math.round(behindMs), isKept })
    return told
  }
  return {
    now: () => new Date(now()),
    wall: () => new Date(wall()),
    continueFrom(stored) {
      told = Math.max(now(), stored.getTime())
      now()
    },
  }
}

export const systemRandom: Random = {
  bytes: (length) => randomBytes(length),
  below: (limit) => randomInt(limit),
  uuid: () => randomUUID(),
}
