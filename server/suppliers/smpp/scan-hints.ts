/**
 * Where to begin looking for a number in a long range, by what is looked for: before that nothing was found lately. A hint,
 * not a truth.
 */
export type ScanHints = Map<string, { position: bigint; knownAt: number }>

/** A short range is always looked at whole. */
const HINT_SLACK = 100n
/** Then the whole range is looked at again, for numbers whose adding was committed after later ones were seen. */
const HINT_MS = 600_000
const SKIP_MS = 60_000
const MAX_HINTS = 10_000

export function scanStart(scanHints: ScanHints, group: string, now: Date): bigint {
  const known = scanHints.get(group)
  return known !== undefined && now.getTime() - known.knownAt < HINT_MS ? known.position : 0n
}

export function advanceScan(
  scanHints: ScanHints,
  group: string,
  { position, now }: { position: bigint; now: Date },
): void {
  const behind = position - HINT_SLACK
  const before = scanStart(scanHints, group, now)
  if (behind <= before) return
  if (scanHints.size >= MAX_HINTS) scanHints.clear()
  // What only moves on keeps its age, or the whole range would never be looked at again.
  const knownAt = before === 0n ? now.getTime() : (scanHints.get(group)?.knownAt ?? now.getTime())
  scanHints.set(group, { position: behind, knownAt })
}

/**
 * Where the last number was found that was open, when the many before it were closed to their buyer: the next buyer most
 * likely finds one there too. A hint as well, for a minute: closings end, and nobody else has the same.
 */
export function skipPosition(skips: ScanHints, group: string, now: Date): bigint {
  const known = skips.get(group)
  return known !== undefined && now.getTime() - known.knownAt < SKIP_MS ? known.position : 0n
}

export function noteSkip(skips: ScanHints, group: string, { position, now }: { position: bigint; now: Date }): void {
  if (skips.size >= MAX_HINTS) skips.clear()
  skips.set(group, { position, knownAt: now.getTime() })
}
