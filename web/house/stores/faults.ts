/** `call`: the contract's key of the failed call. */
export type Fault = { error: unknown; call?: string }

export type Faults = {
  tell(fault: Fault): void
  /** Replays earlier faults, then follows new ones. */
  follow(listener: (fault: Fault) => void): () => void
}

/** Earlier faults are buffered; a page that fails in a loop must not fill the memory. */
const KEPT = 20

/** The first faults may precede their reporter (web/reports/error-reports.tsx). */
export function createFaults(): Faults {
  let kept: Fault[] = []
  let listening: ((fault: Fault) => void) | null = null
  return {
    tell: (fault) => {
      if (listening !== null) listening(fault)
      else if (kept.length < KEPT) kept.push(fault)
    },
    follow: (listener) => {
      const earlier = kept
      kept = []
      listening = listener
      earlier.forEach(listener)
      return () => {
        listening = null
      }
    },
  }
}
