import { SECOND } from '#contract/time.ts'

/** Thrown if the request was not sent, so nothing was bought. */
export class Unsent extends Error {
  override name = 'Unsent'
}

/**
 * Keeps our calls below the rate that a supplier allows, and stops them while it wants none. Unlike with the general
 * rate limit, calls wait for their turn, and purchases leave half of the rate to polls.
 */
export type Throttle = {
  /**
   * Resolves when a call may be sent, in order of arrival. `wisher` is the buyer who caused it, if any. Throws Unsent
   * while the supplier wants no calls, or when too many wait.
   */
  pass(wisher?: string): Promise<void>
  closeFor(ms: number): void
}

/** The longest wait for a call. Later the caller would be gone. */
const LONGEST_WAIT_MS = 4 * SECOND
const LONGEST_SILENCE_MS = 10 * 60 * SECOND

/**
 * Creates a throttle. Purchases get half of the calls, so that a flood of them cannot delay codes. Polls and ends of
 * numbers may also use the other half. A buyer may take no more waiting places than remain free, so that a few flooding
 * accounts leave some. Real time is used, because the supplier's limit follows it.
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
  left(at: number): number
  isFree(at: number): boolean
  take(at: number): number
}

function createPacer(perSecond: number): Pacer {
  const spacingMs = SECOND / perSecond
  /** The burst in ms. It allows calls at once as long as one second has no more calls than the limit. */
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
