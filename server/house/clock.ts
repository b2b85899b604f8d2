import { randomBytes, randomInt, randomUUID } from 'node:crypto'
import { DAY, MINUTE, SECOND } from '#contract/time.ts'

export type Clock = { now(): Date }

export type ServiceClock = Clock & {
  /** Returns the machine's own time, uncorrected. Authenticator codes (TOTP) need the machine's time. */
  wall(): Date
  /** Returns the correction of the machine's clock towards PostgreSQL's, in ms. */
  correction(): number
  /**
   * Continues the clock from the newest time that another process stored, and never goes back behind that time. Null
   * means that nothing is stored yet.
   */
  continueFrom(stored: Date | null): void
  /**
   * Follows PostgreSQL's clock, over which the machine's clock leads by `aheadMs`, so that all nodes agree. At most a
   * minute is corrected. Before `continueFrom` the clock may go back.
   */
  follow(aheadMs: number): void
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
/** The longest lead, or lag, of the machine's clock that is corrected. */
const MAX_CORRECTION_MS = MINUTE
/** A smaller difference is not corrected, because a measurement is not more exact. */
const MIN_CORRECTION_MS = 200

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
  let correctionMs = 0
  let hasBegun = false
  function now(): number {
    const at = elapsed()
    const steady = told + (at - toldAt) * CATCH_UP_RATE
    const machine = wall() + correctionMs
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
    correction: () => correctionMs,
    continueFrom(stored) {
      hasBegun = true
      told = Math.max(now(), stored?.getTime() ?? 0)
      now()
    },
    follow(lead) {
      const wanted = Math.max(-MAX_CORRECTION_MS, Math.min(MAX_CORRECTION_MS, -lead))
      if (Math.abs(wanted - correctionMs) < MIN_CORRECTION_MS) return
      correctionMs = wanted
      if (!hasBegun) {
        told = wall() + correctionMs
        toldAt = elapsed()
      }
      now()
    },
  }
}

export const systemRandom: Random = {
  bytes: (length) => randomBytes(length),
  below: (limit) => randomInt(limit),
  uuid: () => randomUUID(),
}
