import { SECOND } from '#contract/time.ts'

/** From this many seconds on the time left is shown as short (amber). */
export const SHORT_SECONDS = 120

/**
 * Whole seconds until `at` (ISO 8601), 0 only when it is over. Rounded: the server's time as known here lags by a part of
 * a second, and rounding up would begin twenty minutes with "20:01".
 */
export function secondsUntil(at: string, nowMs: number): number {
  const leftMs = Date.parse(at) - nowMs
  return leftMs <= 0 ? 0 : Math.max(1, Math.round(leftMs / SECOND))
}

/** 1199 → "19:59", 48 → "0:48", 3725 → "1:02:05". */
export function formatSeconds(seconds: number): string {
  const hours = Math.floor(seconds / 3600)
  const minutes = Math.floor((seconds % 3600) / 60)
  const rest = String(seconds % 60).padStart(2, '0')
  return hours > 0 ? `${hours}:${String(minutes).padStart(2, '0')}:${rest}` : `${minutes}:${rest}`
}

/** True while little time is left, but some. */
export function isShort(seconds: number): boolean {
  return seconds > 0 && seconds < SHORT_SECONDS
}

/** How much of the span from `from` to `until` is left at `nowMs`, 0…1. */
export function shareLeft(span: { from: string; until: string; nowMs: number }): number {
  const total = Date.parse(span.until) - Date.parse(span.from)
  if (!(total > 0)) return 0
  return Math.min(1, Math.max(0, (Date.parse(span.until) - span.nowMs) / total))
}
