import { createHash } from 'node:crypto'
import { relative } from 'node:path'
import { expect, inject } from 'vitest'

declare module 'vitest' {
  export interface ProvidedContext {
    /** `npm run soak`: random tests run for long. */
    soak: boolean
    /** The seed of all samples: scripts/suite/suite-seed.ts. */
    seed: string
  }
}

/** How often a random test tries: briefly in the suite, for long in `npm run soak`. The run decides, no test does. */
export function randomRuns(runs: { suite: number; soak: number }): number {
  return inject('soak') ? runs.soak : runs.suite
}

/** The share of them that this run's seed draws, never none, in their order; all of them in `npm run soak`. `from`: a name for the whole. */
export function drawSample<Item>(items: readonly Item[], from: string, share: number): Item[] {
  if (inject('soak')) return [...items]
  const count = Math.max(1, Math.ceil(items.length * share))
  const drawn = items
    .map((_, place) => place)
    .sort((one, other) => chance(`${from} ${one}`) - chance(`${from} ${other}`))
  const kept = new Set(drawn.slice(0, count))
  return items.filter((_, place) => kept.has(place))
}

/** How to draw the same again; in `npm run soak`, which leaves nothing out, how to run the file. */
export function drawnBy(): string {
  const { testPath = '' } = expect.getState()
  const path = relative(process.cwd(), testPath)
  if (inject('soak')) return `npm run soak ${path}`
  return `SEED=${inject('seed')} node_modules/.bin/node scripts/run-vitest.mjs unit ${path}`
}

/** A whole number of 32 bits that the run's seed gives these words. */
export function chance(words: string): number {
  return createHash('sha256')
    .update(`${inject('seed')} ${words}`)
    .digest()
    .readUInt32BE()
}
