import { createHash } from 'node:crypto'
import { relative } from 'node:path'
import { expect, inject } from 'vitest'

declare module 'vitest' {
  export interface ProvidedContext {
    soak: boolean
    seed: string
  }
}

/** Returns the number of tries of a random test: few in the suite, many in `npm run soak`. */
export function randomRuns(runs: { suite: number; soak: number }): number {
  return inject('soak') ? runs.soak : runs.suite
}

/**
 * Returns a random `share` of the items, at least one. In `npm run soak` returns all items. `from` names the set of
 * items.
 */
export function drawSample<Item>(items: readonly Item[], from: string, share: number): Item[] {
  if (inject('soak')) return [...items]
  const count = Math.max(1, Math.ceil(items.length * share))
  const drawn = items
    .map((_, place) => place)
    .sort((one, other) => chance(`${from} ${one}`) - chance(`${from} ${other}`))
  const kept = new Set(drawn.slice(0, count))
  return items.filter((_, place) => kept.has(place))
}

/** Returns the command that repeats a random test with the same sample. */
export function drawnBy(): string {
  const { testPath = '' } = expect.getState()
  const path = relative(process.cwd(), testPath)
  if (inject('soak')) return `npm run soak ${path}`
  return `SEED=${inject('seed')} node_modules/.bin/node scripts/run-vitest.mjs unit ${path}`
}

/** Returns a whole number of 32 bits, derived from the run's seed and the given words. */
export function chance(words: string): number {
  return createHash('sha256')
    .update(`${inject('seed')} ${words}`)
    .digest()
    .readUInt32BE()
}
