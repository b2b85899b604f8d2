import { DAY, HOUR } from '#contract/time.ts'
import { addDays, type LocalDays, type LocalTime, listDays, readDays } from '#server/house/http/local-days.ts'

/** A period of so few days is summed by hour, because one bar a day says little. */
const MOST_HOURLY_DAYS = 3

export type Step = { beginsAt: Date; day: string }

/** The days of a period, cut into the steps that are summed. `steps` are hours or days, in order. */
export type Period = LocalDays & { isHourly: boolean; steps: Step[] }

export function periodOf(time: LocalTime, span: LocalDays): Period {
  const days = listDays(span)
  const isHourly = days.length <= MOST_HOURLY_DAYS
  const steps = days.flatMap((day) => {
    const beginsAt = time.startOf(day)
    if (!isHourly) return [{ beginsAt, day }]
    const hours = Math.ceil((time.startOf(addDays(day, 1)).getTime() - beginsAt.getTime()) / HOUR)
    return Array.from({ length: hours }, (_, hour) => ({ beginsAt: new Date(beginsAt.getTime() + hour * HOUR), day }))
  })
  return { ...span, isHourly, steps }
}

/**
 * Returns the period of the same number of days before `period`. If `period` goes on at `now`, the earlier one ends as
 * many days earlier, because a whole day cannot be compared with the beginning of one. Stored sums are of whole hours, so
 * the earlier period's last hour counts whole.
 */
export function periodBefore(time: LocalTime, period: Period, now: Date): Period {
  const count = listDays(period).length
  const asked = { from: addDays(period.from, -count), to: addDays(period.from, -1) }
  const before = periodOf(time, readDays(time, asked, { from: () => asked.from, to: asked.to }))
  const sameMoment = new Date(now.getTime() - count * DAY)
  return { ...before, endsAt: sameMoment < before.endsAt ? sameMoment : before.endsAt }
}
