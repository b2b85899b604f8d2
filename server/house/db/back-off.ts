const FIRST_DELAY_MS = 250
const MAX_DELAY_MS = 30_000
const STEADY_MS = 60_000

export type BackOff = {
  nextDelayMs(): number
  cameUp(): void
}

/** Creates the back-off that computes delays between attempts to reconnect. `nowMs` must be a monotonic clock. */
export function createBackOff(nowMs: () => number): BackOff {
  let failures = 0
  let upSince: number | null = nowMs()
  return {
    nextDelayMs() {
      if (upSince !== null && nowMs() - upSince > STEADY_MS) failures = 0
      upSince = null
      const delayMs = Math.min(FIRST_DELAY_MS * 2 ** failures, MAX_DELAY_MS)
      failures += 1
      return delayMs
    },
    cameUp() {
      upSince = nowMs()
    },
  }
}
