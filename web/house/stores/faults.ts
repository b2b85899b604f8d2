/** `call` is the contract's key of the failed call. */
export type Fault = { error: unknown; call?: string }

export type Faults = {
  tell(fault: Fault): void
  /** Replays the buffered faults to the listener, then passes new ones. */
  follow(listener: (fault: Fault) => void): () => void
}

/**
 * Faults are buffered until a reporter listens. The limit keeps a page that fails in a loop from filling the memory.
 */
const KEPT = 20

/** The first faults may come before their reporter has loaded (web/reports/error-reports.tsx). */
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
