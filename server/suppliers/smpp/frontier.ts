/**
 * Where to begin looking for a number in a long range, by what is looked for: before that nothing was found lately. A hint,
 * not a truth.
 */
export type Frontiers = Map<string, { position: bigint; knownAt: number }>

/** A short range is always looked at whole. */
const FRONTIER_SLACK = 100n
/** Then the whole range is looked at again, for numbers whose adding was committed after later ones were seen. */
const FRONTIER_MS = 600_000
const SKIP_MS = 60_000
const MAX_FRONTIERS = 10_000

export function frontierPosition(frontiers: Frontiers, group: string, now: Date): bigint {
  const known = frontiers.get(group)
  return known !== undefined && now.getTime() - known.knownAt < FRONTIER_MS ? known.position : 0n
}

export function moveFrontier(
  frontiers: Frontiers,
  group: string,
  { position, now }: { position: bigint; now: Date },
): void {
  const behind = position - FRONTIER_SLACK
  const before = frontierPosition(frontiers, group, now)
  if (behind <= before) return
  if (frontiers.size >= MAX_FRONTIERS) frontiers.clear()
  // What only moves on keeps its age, or the whole range would never be looked at again.
  const knownAt = before === 0n ? now.getTime() : (frontiers.get(group)?.knownAt ?? now.getTime())
  frontiers.set(group, { position: behind, knownAt })
}

/**
 * Where the last number was found that was open, when the many before it were closed to their buyer: the next buyer most
 * likely finds one there too. A hint as well, for a minute: closings end, and nobody else has the same.
 */
export function skipPosition(skips: Frontiers, group: string, now: Date): bigint {
  const known = skips.get(group)
  return known !== undefined && now.getTime() - known.knownAt < SKIP_MS ? known.position : 0n
}

export function noteSkip(skips: Frontiers, group: string, { position, now }: { position: bigint; now: Date }): void {
  if (skips.size >= MAX_FRONTIERS) skips.clear()
  skips.set(group, { position, knownAt: now.getTime() })
}
