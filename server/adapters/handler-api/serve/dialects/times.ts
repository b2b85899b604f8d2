import { HOUR, SECOND } from '#contract/time.ts'
import type { ServedDialect } from '#server/adapters/handler-api/wire/dialects.ts'

const MOSCOW_MS = 3 * HOUR

/** Writes a time as `2026-01-31 10:20:30` without a zone, or as `2026-01-31T10:20:30+00:00`. */
export function protocolTime({ times }: Pick<ServedDialect, 'times'>, at: Date): string {
  return times === 'offset' ? withOffset(at) : naive(times, at)
}

/** Writes the end of a rental, which has a T in every dialect. */
export function endDate({ times }: Pick<ServedDialect, 'times'>, at: Date): string {
  return times === 'offset' ? withOffset(at) : naive(times, at).replace(' ', 'T')
}

/** Writes a time in seconds since 1970, which some lists use in every dialect. */
export function unixSeconds(at: Date): number {
  return Math.floor(at.getTime() / SECOND)
}

function withOffset(at: Date): string {
  return `${at.toISOString().slice(0, 19)}+00:00`
}

function naive(times: 'naive' | 'moscow', at: Date): string {
  const shown = times === 'moscow' ? new Date(at.getTime() + MOSCOW_MS) : at
  return shown.toISOString().slice(0, 19).replace('T', ' ')
}
