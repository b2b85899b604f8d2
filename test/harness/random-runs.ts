import { inject } from 'vitest'

declare module 'vitest' {
  export interface ProvidedContext {
    /** `npm run soak`: random tests run for long. */
    soak: boolean
  }
}

/** How often a random test tries: briefly in the suite, for long in `npm run soak`. The run decides, no test does. */
export function randomRuns(runs: { suite: number; soak: number }): number {
  return inject('soak') ? runs.soak : runs.suite
}
