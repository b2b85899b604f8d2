import { SECOND } from '#contract/time.ts'

/** The request was not sent, so nothing was bought. */
export class Unsent extends Error {
  override name = 'Unsent'
}

/**
 * Keeps the supplier's limit of calls per second and pauses for as long as the supplier says. Unlike RateLimit, calls
 * wait instead of being refused, and polls get half of the capacity.
 */
export type Throttle = {
  /**
   * Resolves in order of arrival. `wisher` is the buyer; polls and endings have none. Throws Unsent during a pause of
   * the supplier, or if too many wait.
   */
  pass(wisher?: string): Promise<void>
  closeFor(ms: number): void
}

/** Longer waits would outlive their callers. */
const LONGEST_WAIT_MS = 4 * SECOND
const LONGEST_SILENCE_MS = 10 * 60 * SECOND

/**
 * Purchases get half of the calls, so that a flood of them cannot delay codes; polls and endings use what purchases
 * leave. No buyer may take more waiting places than remain free, so a few flooding accounts leave some. The gate uses
 * real time, which the supplier's limit follows.
 */
export function createThrottle(callsPerSecond: number, now: () => number = () => performance.now()): Throttle {
  const looks = createPacer(callsPerSecond / 2)
  const wishes = createPacer(callsPerSecond / 2)
  const waiting = new Map<string, number>()
  let closedUntil = 0

  const waitAsWisher = async (wisher: string, at: number): Promise<void> => {
    const before = waiting.get(wisher) ?? 0
    if (before > 0 && before + 1 >= wishes.left(at))
      throw new Unsent('too many wishes of one buyer wait for the supplier')
    const waitMs = wishes.take(at)
    if (waitMs === 0) return
    waiting.set(wisher, before + 1)
    await pause(waitMs)
    const left = (waiting.get(wisher) ?? 1) - 1
    if (left === 0) waiting.delete(wisher)
    else waiting.set(wisher, left)
  }

  return {
    async pass(wisher) {
      const at = now()
      if (closedUntil > at) throw new Unsent('the supplier wants no calls for a while')
      if (wisher !== undefined) await waitAsWisher(wisher, at)
      else await pause((looks.isFree(at) || !wishes.isFree(at) ? looks : wishes).take(at))
      if (closedUntil > now()) throw new Unsent('the supplier wants no calls for a while')
    },
    closeFor(ms) {
      closedUntil = Math.max(closedUntil, now() + Math.min(ms, LONGEST_SILENCE_MS))
    },
  }
}

type Pacer = {
  /** Returns how many more calls may wait. */
  left(at: number): number
  isFree(at: number): boolean
  /** Takes a call and returns the ms to wait. */
  take(at: number): number
}

function createPacer(perSecond: number): Pacer {
  const spacingMs = SECOND / perSecond
  /** The burst allows this many calls at once, as long as a second has no more than its limit. */
  const burstMs = Math.max(0, SECOND - spacingMs)
  let next = Number.NEGATIVE_INFINITY
  return {
    left: (at) => Math.floor((LONGEST_WAIT_MS - Math.max(0, next - at)) / spacingMs) + 1,
    isFree: (at) => next <= at,
    take(at) {
      const sendAt = Math.max(next, at - burstMs)
      const waitMs = Math.max(0, sendAt - at)
      if (waitMs > LONGEST_WAIT_MS) throw new Unsent('too many calls wait for the supplier')
      next = sendAt + spacingMs
      return waitMs
    },
  }
}

async function pause(ms: number): Promise<void> {
  if (ms > 0) await new Promise((resolve) => setTimeout(resolve, ms))
}
