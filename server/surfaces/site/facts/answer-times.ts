import { DAY, MINUTE } from '#contract/time.ts'
import { measureFirstAnswers } from '#server/core/support/queries/first-answers.ts'
import { keepFigure } from '#server/house/db/keep-figure.ts'

/** The newest tickets that are looked at. */
const MOST_TICKETS = 200
/** Fewer tickets tell nothing about the next answer. */
const LEAST_TICKETS = 10
const TICKETS_SINCE_MS = 30 * DAY

/** Returns the median time until a ticket's first answer, or null for too few tickets. */
export const medianAnswerSeconds = keepFigure<number | null>({
  name: 'times of first answers',
  freshMs: 15 * MINUTE,
  atFirst: null,
  read: async ({ db }, now) => {
    const since = new Date(now.getTime() - TICKETS_SINCE_MS)
    const { tickets, median_seconds: seconds } = await measureFirstAnswers(db, { since, now, limit: MOST_TICKETS })
    return tickets < LEAST_TICKETS || seconds === null ? null : Math.round(seconds)
  },
})
