import { SECOND } from '#contract/time.ts'

/** The request was not sent: whatever it would have bought was not bought. */
export class Unsent extends Error {
  override name = 'Unsent'
}

/** Keeps to what the other allows a second, and stays away for as long as it says. */
export type Gate = {
  /** Resolves in turn. Throws Unsent while the other wants silence, or when too many wait. */
  pass(): Promise<void>
  closeFor(ms: number): void
}

/** Longer waits would outlive their callers. */
const LONGEST_WAIT_MS = 4 * SECOND
const LONGEST_SILENCE_MS = 10 * 60 * SECOND

/** Real time: the other's clock does not know ours. */
export function createGate(callsPerSecond: number, now: () => number = () => performance.now()): Gate {
  const spacingMs = SECOND / callsPerSecond
  /** So many at once, as long as a second has no more. */
  const burstMs = SECOND - spacingMs
  let next = 0
  let closedUntil = 0
  return {
    async pass() {
      const at = now()
      if (closedUntil > at) throw new Unsent('the supplier wants no calls for a while')
      const turn = Math.max(next, at - burstMs)
      const waitMs = turn - at
      if (waitMs > LONGEST_WAIT_MS) throw new Unsent('too many calls wait for the supplier')
      next = turn + spacingMs
      if (waitMs > 0) await new Promise((resolve) => setTimeout(resolve, waitMs))
      if (closedUntil > now()) throw new Unsent('the supplier wants no calls for a while')
    },
    closeFor(ms) {
      closedUntil = Math.max(closedUntil, now() + Math.min(ms, LONGEST_SILENCE_MS))
    },
  }
}
