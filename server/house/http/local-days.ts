import { DAY, MINUTE, SECOND } from '#contract/time.ts'
import { wordsOf } from '#server/house/errors/error-words.ts'
import { invalidInput } from '#server/house/errors/errors.ts'

/** A range of days such as `2026-03-01`, from the first to the last inclusively. */
export type LocalDays = { from: string; to: string; beginsAt: Date; endsAt: Date }

export type LocalTime = { dayOf(at: Date): string; startOf(day: string): Date }

/** Converts between times and days of a time zone (UTC if undefined). Throws INVALID_INPUT for an unknown zone. */
export function localTime(timeZone: string | undefined): LocalTime {
  const format = formatOf(timeZone)
  const offsetMs = (at: number) =>
    parseOffset(format.formatToParts(at).find(({ type }) => type === 'timeZoneName')?.value)
  return {
    dayOf: (at) => toDay(at.getTime() + offsetMs(at.getTime())),
    startOf(day) {
      const local = Date.parse(`${day}T00:00:00Z`)
      // The clocks may change at this midnight, so the offsets before and after it are both tried.
      const [before, after] = [offsetMs(local - DAY), offsetMs(local + DAY)]
      const found = [local - before, local - after].sort((a, b) => a - b).find((at) => at + offsetMs(at) === local)
      // The clock change skips this midnight, so the day begins when the clocks go forward.
      return new Date(found ?? local - before)
    },
  }
}

export const OPEN_DAYS = { from: () => '0001-01-01', to: '9999-12-31' }

/** Reads a range of days. `standard` supplies a first or last day that the request omits. */
export function readDays(
  time: LocalTime,
  asked: { from?: string | undefined; to?: string | undefined },
  standard: { from: (to: string) => string; to: string; maxDays?: number },
): LocalDays {
  const to = asked.to ?? standard.to
  const from = asked.from ?? standard.from(to)
  if (from > to) {
    throw invalidInput({ from: [wordsOf('field.daysReversed')] })
  }
  const { maxDays } = standard
  if (maxDays !== undefined && daysBetween(from, to) >= maxDays) {
    throw invalidInput({ from: [wordsOf('field.tooManyDays', { maxDays })] })
  }
  return { from, to, beginsAt: time.startOf(from), endsAt: time.startOf(addDays(to, 1)) }
}

export function addDays(day: string, count: number): string {
  return toDay(Date.parse(`${day}T00:00:00Z`) + count * DAY)
}

export function listDays({ from, to }: Pick<LocalDays, 'from' | 'to'>): string[] {
  return Array.from({ length: daysBetween(from, to) + 1 }, (_, place) => addDays(from, place))
}

function daysBetween(from: string, to: string): number {
  return Math.round((Date.parse(`${to}T00:00:00Z`) - Date.parse(`${from}T00:00:00Z`)) / DAY)
}

function toDay(ms: number): string {
  const iso = new Date(ms).toISOString()
  return iso.slice(0, iso.indexOf('T'))
}

function formatOf(timeZone: string | undefined): Intl.DateTimeFormat {
  try {
    return new Intl.DateTimeFormat('en-US', { timeZone: timeZone ?? 'UTC', timeZoneName: 'longOffset' })
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    throw invalidInput({ time_zone: [wordsOf('field.timeZone')] })
  }
}

/** Parses an offset such as `GMT+05:30`, or a historical `GMT+02:30:17`. Plain `GMT` is zero. */
function parseOffset(text: string | undefined): number {
  const [, sign, hours, minutes, seconds = '0'] = /([+-])(\d\d):(\d\d)(?::(\d\d))?$/.exec(text ?? '') ?? []
  if (hours === undefined || minutes === undefined) return 0
  const ms = (Number(hours) * 60 + Number(minutes)) * MINUTE + Number(seconds) * SECOND
  return sign === '-' ? -ms : ms
}
