const FIRST_DELAY_MS = 250
const MAX_DELAY_MS = 30_000
/** Up for this long, the next failure counts as the first again. */
const STEADY_MS = 60_000

/** How long to wait before something that died is started again: longer each time it does not come up, or not for long. */
export type BackOff = {
  /** It has died, or did not come up: the wait before the next try. */
  nextDelayMs(): number
  cameUp(): void
}

/** For something that is up now. `nowMs` reads a clock that only goes forward. */
export function createBackOff(nowMs: () => number): BackOff {
  let failures = 0
  /** null: it has not come up since it died. */
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
