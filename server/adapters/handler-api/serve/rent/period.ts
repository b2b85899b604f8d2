import { z } from 'zod'
import { RENT_PERIODS_HOURS } from '#contract/constants.ts'
import type { Answer } from '../answer.ts'
import { rentError } from './rent-action.ts'

const [SHORTEST] = RENT_PERIODS_HOURS
const LONGEST = Math.max(...RENT_PERIODS_HOURS)

/** A rental's length in hours: `time` or `rent_time` of SMS-Activate's clients, `duration` or `hours` of HeroSMS's. */
export const hoursParameters = {
  time: z.string().optional(),
  rent_time: z.string().optional(),
  duration: z.string().optional(),
  hours: z.string().optional(),
}

type Hours = Readonly<Partial<Record<keyof typeof hoursParameters, string | undefined>>>

/**
 * Returns the hours to rent: the next longer length that we have, and by default the shortest. Returns a refusal for a
 * length that is invalid or too long.
 */
export function periodOf({ time, rent_time: rentTime, duration, hours }: Hours): number | Answer {
  const wanted = time ?? rentTime ?? duration ?? hours
  if (wanted === undefined) return SHORTEST
  if (!/^0*[1-9]\d{0,6}$/.test(wanted)) return rentError('INVALID_TIME')
  const found = RENT_PERIODS_HOURS.find((period) => period >= Number(wanted))
  return found ?? rentError('MAX_HOURS_EXCEEDED', { max: LONGEST })
}
