/** Something that went wrong in this browser. `call`: what was asked of the server, by the contract's name for it. */
export type Fault = { error: unknown; call?: string }

export type Faults = {
  tell(fault: Fault): void
  /** What was told before and what is told from now on. Returns how to stop. */
  follow(listener: (fault: Fault) => void): () => void
}

/** Those that come before anybody listens. A page that fails in a loop does not fill the memory with it. */
const KEPT = 20

/** Where faults are told. Who reports them comes later than the first of them may (web/reports/error-reports.tsx). */
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
