import { randomBytes, randomInt, randomUUID } from 'node:crypto'
import { DAY, SECOND } from '#contract/time.ts'

export type Clock = { now(): Date }

export type ServiceClock = Clock & {
  /** Returns the machine's own time. Authenticator codes (TOTP) need it. */
  wall(): Date
  /** Another process has stored this time, so the clock continues from there and never goes back behind it. */
  continueFrom(stored: Date): void
}

/** `isKept` means that the service's time continues from before the machine's clock was set back. */
export type SetBack = { behindMs: number; isKept: boolean }

export type Random = {
  bytes(length: number): Buffer
  below(limit: number): number
  uuid(): string
}

/** After the machine's clock was set back, time slows down until it has caught up, within ten times the step. */
const CATCH_UP_RATE = 0.9
/** A larger lead comes from a wrong date, which must not stay in sessions, sums and deadlines. */
const MAX_AHEAD_MS = DAY
const TOLD_FROM_MS = SECOND

type ServiceClockOptions = {
  wall?: () => number
  /** A monotonic clock, in milliseconds. */
  elapsed?: () => number
  onSetBack?: (step: SetBack) => void
}

/** Deadlines and the owners of messages are found by comparing times, so stored times must never lie in the future. */
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
