import { z } from 'zod'
import { pointsOf } from '#contract/formats/payment-terms.ts'
import { isTimeZone } from '#contract/formats/time-zone.ts'
import { CURRENCIES, type Currency, parseDecimal } from '#contract/money.ts'
import { LOYALTY_PERIODS, type LoyaltyPeriod } from '#contract/programmes/loyalty.ts'
import type { EnvironmentReader } from './environment.ts'
import { type ReferralSettings, readReferral } from './referral-settings.ts'

/** `points`: hundredths of a per cent. */
export type LoyaltyRank = { topUpMicros: bigint; points: number }
/** Ranks ascend in both. A currency without ranks has no programme. */
export type LoyaltySettings = {
  period: LoyaltyPeriod
  timeZone: string
  ranks: Partial<Record<Currency, LoyaltyRank[]>>
}
export type Programmes = { loyalty: LoyaltySettings | null; referral: ReferralSettings }

const STANDARD_TIME_ZONE = 'Europe/Moscow'
/** Roubles as the field pays them; dollars at about the same worth. */
const STANDARD_RANKS = JSON.stringify({
  rub: listRanks(['1000', 4], ['4000', 5], ['15000', 6], ['60000', 8.5], ['150000', 12], ['200000', 20]),
  usd: listRanks(['10', 4], ['40', 5], ['150', 6], ['600', 8.5], ['1500', 12], ['2000', 20]),
})
const MAX_RANKS = 20

const rankSchema = z
  .strictObject({
    top_up: z.string().refine((text) => (parseDecimal(text) ?? 0n) > 0n, 'is an amount such as "1000.00"'),
    percent: z.number().positive().max(100),
  })
  .refine(({ percent }) => /^\d+(\.\d\d?)?$/.test(String(percent)), 'percent has two decimals at most')
  .transform(
    ({ top_up, percent }): LoyaltyRank => ({
      topUpMicros: parseDecimal(top_up) ?? 0n,
      points: Number(pointsOf(String(percent))),
    }),
  )
const ranksSchema = z
  .array(rankSchema)
  .min(1)
  .max(MAX_RANKS)
  .refine(doAscend, 'each rank must ask for more than the one before, and give more')
const tableSchema = z
  .strictObject({ rub: ranksSchema.optional(), usd: ranksSchema.optional() })
  .refine((table) => Object.keys(table).length > 0, `names ${CURRENCIES.join(' or ')}`)

/** `LOYALTY` is `week` or `month`; `LOYALTY_RANKS` is `{"rub":[{"top_up":"1000.00","percent":4}]}`. */
export function readProgrammes(read: EnvironmentReader, { demo }: { demo: boolean }): Programmes {
  return {
    loyalty: readLoyalty(read, demo ? 'week' : 'off'),
    referral: readReferral(read, { demo }),
  }
}

function readLoyalty(read: EnvironmentReader, standard: LoyaltyPeriod | 'off'): LoyaltySettings | null {
  const period = read.oneOf('LOYALTY', [...LOYALTY_PERIODS, 'off'], standard)
  const timeZone = read.text('LOYALTY_TIME_ZONE', STANDARD_TIME_ZONE)
  // PostgreSQL reads the sign of an offset the other way round.
  const isName = /^[A-Za-z]/.test(timeZone) && isTimeZone(timeZone)
  if (!isName) read.problem('LOYALTY_TIME_ZONE', 'must be the name of a time zone, such as Europe/Moscow')
  const given = read.optionalText('LOYALTY_RANKS')
  const ranks = readRanks(read, given ?? STANDARD_RANKS)
  if (given !== null && period === 'off' && !read.has('LOYALTY')) {
    read.problem('LOYALTY_RANKS', 'has no period: set LOYALTY to week or month, or to off')
  }
  return period === 'off' || ranks === null ? null : { period, timeZone, ranks }
}

function readRanks(read: EnvironmentReader, text: string): LoyaltySettings['ranks'] | null {
  try {
    const parsed = tableSchema.safeParse(JSON.parse(text))
    if (parsed.success) return parsed.data
    read.problem('LOYALTY_RANKS', z.prettifyError(parsed.error).replaceAll('\n', ' '))
  } catch (error) {
    read.problem('LOYALTY_RANKS', `is not JSON: ${error instanceof Error ? error.message : String(error)}`)
  }
  return null
}

function doAscend(ranks: readonly LoyaltyRank[]): boolean {
  return ranks.every(({ topUpMicros, points }, place) => {
    const before = ranks[place - 1]
    return before === undefined || (topUpMicros > before.topUpMicros && points > before.points)
  })
}

function listRanks(...ranks: readonly (readonly [topUp: string, percent: number])[]) {
  return ranks.map(([top_up, percent]) => ({ top_up, percent }))
}
