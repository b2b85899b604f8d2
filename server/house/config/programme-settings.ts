import { z } from 'zod'
import { pointsOf } from '#contract/formats/payment-terms.ts'
import { isTimeZone } from '#contract/formats/time-zone.ts'
import { CURRENCIES, type Currency, MICROS_PER_UNIT, parseDecimal } from '#contract/money.ts'
import { LOYALTY_PERIODS, type LoyaltyPeriod } from '#contract/programmes/loyalty.ts'
import { checked, judged, oneOf, parseJson, type Table } from './kinds.ts'

/** A rank of the loyalty programme. `points` is the reward in hundredths of a per cent of the top-ups. */
export type LoyaltyRank = { topUpMicros: bigint; points: number }
/** The loyalty programme. Ranks ascend by `topUpMicros` and by `points`. A currency without ranks has no programme. */
export type LoyaltySettings = {
  period: LoyaltyPeriod
  timeZone: string
  ranks: Partial<Record<Currency, LoyaltyRank[]>>
}

/** The default loyalty ranks. Rewards in roubles equal those of competitors; rewards in dollars are worth as much. */
const STANDARD_RANKS: LoyaltySettings['ranks'] = {
  rub: listRanks([1000n, 4], [4000n, 5], [15_000n, 6], [60_000n, 8.5], [150_000n, 12], [200_000n, 20]),
  usd: listRanks([10n, 4], [40n, 5], [150n, 6], [600n, 8.5], [1500n, 12], [2000n, 20]),
}
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

export const PROGRAMME_SETTINGS = {
  LOYALTY: [
    oneOf([...LOYALTY_PERIODS, 'off'], 'off', { demo: 'week' }),
    'Part of what is topped up in a `week` or `month` comes back ([rules](loyalty.md)). `off` ends it after the period under way.',
  ],
  LOYALTY_RANKS: [
    judged<LoyaltySettings['ranks']>({
      must: 'be JSON: {"rub":[{"top_up":"1000.00","percent":4}],"usd":[…]}',
      standard: STANDARD_RANKS,
      shown: 'the [usual ones](loyalty.md#ranks)',
      parse: (given, problem) => parseJson<LoyaltySettings['ranks']>(tableSchema, given, problem),
    }),
    'These ranks hold from the next period on. A currency that is left out has no programme.',
  ],
  LOYALTY_TIME_ZONE: [
    checked({
      must: 'be the name of a time zone, such as Europe/Moscow',
      standard: 'Europe/Moscow',
      // Offsets such as `+03` are refused, because PostgreSQL reads the sign of an offset the other way round.
      parse: (given) => (/^[A-Za-z]/.test(given) && isTimeZone(given) ? given : undefined),
    }),
    'Weeks and months begin in this time zone.',
  ],
} satisfies Table

function doAscend(ranks: readonly LoyaltyRank[]): boolean {
  return ranks.every(({ topUpMicros, points }, place) => {
    const before = ranks[place - 1]
    return before === undefined || (topUpMicros > before.topUpMicros && points > before.points)
  })
}

function listRanks(...ranks: readonly (readonly [topUp: bigint, percent: number])[]): LoyaltyRank[] {
  return ranks.map(([topUp, percent]) => ({ topUpMicros: topUp * MICROS_PER_UNIT, points: percent * 100 }))
}
