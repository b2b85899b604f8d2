import { STATUS_COMPONENTS, STATUS_DAYS, type StatusComponent } from '#contract/status/status.ts'
import { DAY, HOUR, MINUTE } from '#contract/time.ts'
import { at } from './order-rows.ts'
import type { Row } from './row-queries.ts'
import type { Seeded } from './seeded.ts'

const DAY_MINUTES = 24 * 60
/** The chance that a part was slow on a day, for a part of an hour. */
const SLOW_SHARE = 0.03

/** A day on which a part worked for some of its purchases only, with what staff told of it. */
const TROUBLE: { component: StatusComponent; daysAgo: number; minutes: number; words: { ru: string; en: string }[] } = {
  component: 'codes',
  daysAgo: 23,
  minutes: 52,
  words: [
    {
      ru: 'Коды WhatsApp приходят реже обычного. Разбираемся с поставщиком.',
      en: 'WhatsApp codes are arriving less often than usual. We’re looking into it with the supplier.',
    },
    {
      ru: 'Коды снова приходят. За номера без кода деньги вернулись.',
      en: 'Codes are arriving again. Numbers without a code have been refunded.',
    },
  ],
}

/** The days of /status before today, as the demo would have measured them. */
export function statusRows(seeded: Seeded, nowMs: number): Row[] {
  return Array.from({ length: STATUS_DAYS - 1 }, (_, place) => place + 1).flatMap((daysAgo) =>
    STATUS_COMPONENTS.map((component) => {
      const isTrouble = component === TROUBLE.component && daysAgo === TROUBLE.daysAgo
      const slow = seeded.share() < SLOW_SHARE ? seeded.whole(3, 40) : 0
      const partly = isTrouble ? TROUBLE.minutes : 0
      return {
        day: at(nowMs - daysAgo * DAY).slice(0, 10),
        component,
        working_minutes: DAY_MINUTES - slow - partly,
        slow_minutes: slow,
        partly_minutes: partly,
      }
    }),
  )
}

export function incidentRows(id: bigint, nowMs: number): Row[] {
  const openedMs = Math.floor((nowMs - TROUBLE.daysAgo * DAY) / DAY) * DAY + 14 * HOUR
  const closedMs = openedMs + TROUBLE.minutes * MINUTE
  const times = [openedMs, closedMs]
  const notes = TROUBLE.words.map((words, place) => ({ at: at(times[place] ?? closedMs), ...words }))
  return [{ id, components: [TROUBLE.component], notes, opened_at: at(openedMs), closed_at: at(closedMs) }]
}
