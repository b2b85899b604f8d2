import { z } from 'zod'
import { RENT_PERIODS_HOURS } from '#contract/constants.ts'
import type { Answer } from '../answer.ts'
import { rentError } from './rent-action.ts'

const [SHORTEST] = RENT_PERIODS_HOURS
const LONGEST = Math.max(...RENT_PERIODS_HOURS)

/**
 * The parameters for the length of a rental, in hours. Old clients send `time`, newer ones `rent_time`, and clients of
 * HeroSMS send `duration` or `hours`.
 */
export const hoursParameters = {
  time: z.string().optional(),
  rent_time: z.string().optional(),
  duration: z.string().optional(),
  hours: z.string().optional(),
}

type Hours = Readonly<Partial<Record<keyof typeof hoursParameters, string | undefined>>>

/**
 * Returns the hours to rent. A length that we do not sell becomes the next longer one, and the default is the shortest.
 * Returns a refusal if no length is long enough.
 */
export function periodOf({ time, rent_time: rentTime, duration, hours }: Hours): number | Answer {
  const wanted = time ?? rentTime ?? duration ?? hours
  if (wanted === undefined) return SHORTEST
  if (!/^0*[1-9]\d{0,6}$/.test(wanted)) return rentError('INVALID_TIME')
  const found = RENT_PERIODS_HOURS.find((period) => period >= Number(wanted))
  return found ?? rentError('MAX_HOURS_EXCEEDED', { max: LONGEST })
}
