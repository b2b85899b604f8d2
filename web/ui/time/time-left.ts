import { SECOND } from '#contract/time.ts'

export const SHORT_SECONDS = 120

/** Returns rounded seconds until `at`, 0 only after `at`. Rounding up would show "20:01", as the clock lags. */
export function secondsUntil(at: string, nowMs: number): number {
  const leftMs = Date.parse(at) - nowMs
  return leftMs <= 0 ? 0 : Math.max(1, Math.round(leftMs / SECOND))
}

/** Formats 1199 as "19:59", 48 as "0:48" and 3725 as "1:02:05". */
export function formatSeconds(seconds: number): string {
  const hours = Math.floor(seconds / 3600)
  const minutes = Math.floor((seconds % 3600) / 60)
  const rest = String(seconds % 60).padStart(2, '0')
  return hours > 0 ? `${hours}:${String(minutes).padStart(2, '0')}:${rest}` : `${minutes}:${rest}`
}

export function isShort(seconds: number): boolean {
  return seconds > 0 && seconds < SHORT_SECONDS
}

/** Returns the share of the time that is left, from 0 to 1. */
export function shareLeft(span: { from: string; until: string; nowMs: number }): number {
  const total = Date.parse(span.until) - Date.parse(span.from)
  if (!(total > 0)) return 0
  return Math.min(1, Math.max(0, (Date.parse(span.until) - span.nowMs) / total))
}
