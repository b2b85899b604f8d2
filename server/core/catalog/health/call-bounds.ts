/**
 * The upper bounds, in ms, of the classes in `supplier_call_hours.milliseconds_counts`; the last class has no bound.
 */
export const CALL_BOUNDS_MS = [10, 30, 100, 300, 1_000, 3_000, 8_000] as const

/**
 * Returns the lowest bound of the histogram, in ms, within which a share of calls was answered. Returns null without
 * calls, or if the share needs the last class, which has no bound.
 */
export function boundOfShare(counts: readonly number[], share: number): number | null {
  const wanted = counts.reduce((total, count) => total + count, 0) * share
  let below = 0
  for (const [place, count] of counts.entries()) {
    below += count
    if (count > 0 && below >= wanted) return CALL_BOUNDS_MS[place] ?? null
  }
  return null
}
