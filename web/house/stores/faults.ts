export type Fault = { error: unknown; call?: string }

export type Faults = {
  tell(fault: Fault): void
  follow(listener: (fault: Fault) => void): () => void
}

/** The maximum number of buffered faults, so that a page that fails in a loop does not fill the memory. */
const KEPT = 20

/** Creates a buffer for faults, because the first may come before web/reports/error-reports.tsx has loaded. */
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
