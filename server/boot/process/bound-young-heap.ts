import { PerformanceObserver } from 'node:perf_hooks'
import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8'

/** Two halves of 16 MB. */
const MOST_BYTES = 32 * 1024 * 1024

/**
 * A burst lets V8 grow the space of new objects to 134 MB, and it keeps those pages for good. Its size is fixed when Node
 * starts; only how fast it grows may be changed later, after each collection.
 */
export function boundYoungHeap(): void {
  let mayGrow = true
  const collections = new PerformanceObserver(() => {
    const space = getHeapSpaceStatistics().find(({ space_name: name }) => name === 'new_space')
    const isSmall = space === undefined || space.space_size < MOST_BYTES
    if (isSmall === mayGrow) return
    mayGrow = isSmall
    setFlagsFromString(`--semi-space-growth-factor=${mayGrow ? 2 : 1}`)
  })
  collections.observe({ entryTypes: ['gc'] })
}
