import { randomBytes, randomInt, randomUUID } from 'node:crypto'
import { DAY, SECOND } from '#contract/time.ts'

export type Clock = { now(): Date }

export type ServiceClock = Clock & {
  /** Returns the machine's own time, uncorrected. Authenticator codes (TOTP) need the machine's time. */
  wall(): Date
  /** Continues the clock from a time that another process stored, and never goes back behind that time. */
  continueFrom(stored: Date): void
}

/** The machine's clock was set back by `behindMs`. `isKept` means that the service's clock ignores the step. */
export type SetBack = { behindMs: number; isKept: boolean }

export type Random = {
  bytes(length: number): Buffer
  below(limit: number): number
  uuid(): string
}

/** The speed of the service's clock after the machine's was set back. The clocks meet within ten times the step. */
const CATCH_UP_RATE = 0.9
/**
 * The longest lead of the service's clock over the machine's. A larger lead comes from a wrong date, which must not be
 * stored.
 */
const MAX_AHEAD_MS = DAY
const TOLD_FROM_MS = SECOND

type ServiceClockOptions = {
  wall?: () => number
  /** A monotonic clock, in milliseconds. The default is `performance.now`. */
  elapsed?: () => number
  onSetBack?: (step: SetBack) => void
}

/**
 * Creates a clock that never goes back when the machine's clock does. Stored times must never lie in the future,
 * because deadlines and a message's buyer are found by comparing times.
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
