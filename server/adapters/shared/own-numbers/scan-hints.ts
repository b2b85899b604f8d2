/** The position of the number where a scan starts, for each search. A hint may be wrong, so it expires. */
export type ScanHints = Map<string, { position: bigint; knownAt: number }>

const HINT_SLACK = 100n
/** The lifetime of a hint. The next scan then finds numbers that were committed late at earlier positions. */
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
  // An advancing hint keeps its age, or it would never expire.
  const knownAt = before === 0n ? now.getTime() : (scanHints.get(group)?.knownAt ?? now.getTime())
  scanHints.set(group, { position: behind, knownAt })
}

/**
 * Returns the position from which to scan: that of the number sold last, behind many that may not be sold now. They
 * become saleable again, so the position is forgotten after a minute. Returns 0n if none is known.
 */
export function skipPosition(skips: ScanHints, group: string, now: Date): bigint {
  const known = skips.get(group)
  return known !== undefined && now.getTime() - known.knownAt < SKIP_MS ? known.position : 0n
}

export function noteSkip(skips: ScanHints, group: string, { position, now }: { position: bigint; now: Date }): void {
  if (skips.size >= MAX_HINTS) skips.clear()
  skips.set(group, { position, knownAt: now.getTime() })
}
