import { toDecimal } from '#contract/money.ts'
import type { StatisticsReply, StatisticsSum } from '#contract/past/history.ts'
import {
  addOutcomes,
  MEDIAN,
  noOutcomes,
  type Outcomes,
  P90,
  secondsUntilShare,
} from '#server/core/catalog/health/outcome-bounds.ts'
import { findCountedUntil } from '#server/core/catalog/offers/outcome-queries.ts'
import { kindRecord } from '#server/core/numbers/listing/kind-record.ts'
import type { Context } from '#server/house/context.ts'
import type { MemberCaller } from '#server/house/http/caller.ts'
import { addDays, localTime, readDays } from '#server/house/http/local-days.ts'
import { readBehind } from '#server/house/replica/read-behind.ts'
import { type Period, periodBefore, periodOf } from './period.ts'
import { type StatisticsRow, sumUserHours } from './queries.ts'

const STANDARD_DAYS = 30
const MAX_DAYS = 366
const SHOWN = 20

/** Returns statistics from hourly sums, never from single purchases. Throws INVALID_INPUT above 366 days. */
export async function getStatistics(
  ctx: Context,
  caller: MemberCaller,
  filter: {
    from?: string | undefined
    to?: string | undefined
    time_zone?: string | undefined
    mode?: 'activation' | 'rent' | undefined
    services_ids?: string[] | undefined
    countries_ids?: number[] | undefined
  },
): Promise<StatisticsReply> {
  const time = localTime(filter.time_zone)
  const today = time.dayOf(ctx.clock.now())
  const span = readDays(time, filter, { from: (to) => addDays(to, 1 - STANDARD_DAYS), to: today, maxDays: MAX_DAYS })
  const period = periodOf(time, span)
  const before = periodBefore(time, period, ctx.clock.now())
  const wanted = {
    userId: caller.member.userId,
    mode: filter.mode ?? null,
    serviceCodes: filter.services_ids ?? null,
    countryIds: filter.countries_ids ?? null,
  }
  const [rows, rowsBefore, countedUntil] = await readBehind(ctx, caller, (db) =>
    Promise.all([
      sumUserHours(db, { ...wanted, stepsBeginAt: boundsOf(period) }),
      sumUserHours(db, { ...wanted, stepsBeginAt: boundsOf(before) }),
      findCountedUntil(db),
    ]),
  )
  const named = (row: { service_code: string; country_id: number }) => kindRecord(ctx, row, caller.locale)
  return {
    status: true,
    data: {
      currency: caller.member.currency,
      ...sumsOf(period, rows),
      before: sumsOf(before, rowsBefore),
      services: mostUsed(rows, 'service_code').map((row) => {
        const { service } = named({ service_code: row.key, country_id: 0 })
        return { ...service, ...toSum(row) }
      }),
      countries: mostUsed(rows, 'country_id').map((row) => {
        const { id, name, iso2 } = named({ service_code: '', country_id: row.key }).country
        return { id, name, iso2, ...toSum(row) }
      }),
      counted_until: countedUntil?.toISOString() ?? null,
    },
  }
}

/** Returns the bounds of the steps, in order, up to the end of the period. */
function boundsOf({ steps, endsAt }: Period): Date[] {
  return [...steps.map(({ beginsAt }) => beginsAt).filter((at) => at < endsAt), endsAt]
}

/** An earlier period that ends within a day has no hours after its end. */
function sumsOf({ from, to, endsAt, steps, isHourly }: Period, rows: StatisticsRow[]) {
  const ofStep = new Map(rows.map((row) => [row.step, row]))
  const summed = steps.map((step, place) => ({ ...step, row: ofStep.get(place + 1) }))
  const byDay = Map.groupBy(summed, ({ day }) => day)
  return {
    from,
    to,
    total: toSum(sumUp(rows.filter(({ step }) => step !== null))),
    days: [...byDay].map(([day, ofDay]) => ({
      day,
      ...toSum(sumUp(ofDay.flatMap(({ row }) => (row === undefined ? [] : [row])))),
    })),
    hours: isHourly
      ? summed
          .filter(({ beginsAt }) => beginsAt < endsAt)
          .map(({ beginsAt, row }) => ({ at: beginsAt.toISOString(), ...toSum(row) }))
      : null,
  }
}

type Sum = Pick<StatisticsRow, 'purchases' | 'activations' | 'codes' | 'spent_micros' | 'seconds_counts'>

function sumUp(rows: StatisticsRow[]): Sum {
  const outcomes = noOutcomes()
  let activations = 0
  let spentMicros = 0n
  for (const row of rows) {
    addOutcomes(outcomes, outcomesOf(row))
    activations += row.activations
    spentMicros += row.spent_micros
  }
  const { purchases, codes, secondsCounts } = outcomes
  return { purchases, activations, codes, spent_micros: spentMicros, seconds_counts: secondsCounts }
}

function mostUsed<Column extends 'service_code' | 'country_id'>(rows: StatisticsRow[], column: Column) {
  return rows
    .flatMap((row) => {
      const key: StatisticsRow[Column] = row[column]
      return key === null ? [] : [{ ...row, key }]
    })
    .sort((a, b) => b.purchases - a.purchases || Number(b.spent_micros - a.spent_micros) || (a.key < b.key ? -1 : 1))
    .slice(0, SHOWN)
}

function toSum(row: Sum | undefined): StatisticsSum {
  const sum = row ?? sumUp([])
  const share = sum.activations === 0 ? null : Math.round((sum.codes / sum.activations) * 1000) / 1000
  return {
    purchases: sum.purchases,
    activations: sum.activations,
    codes: sum.codes,
    spent: toDecimal(sum.spent_micros),
    success_share: share,
    median_seconds: secondsUntilShare(outcomesOf(sum), MEDIAN),
    p90_seconds: secondsUntilShare(outcomesOf(sum), P90),
  }
}

function outcomesOf(row: Sum): Outcomes {
  return { purchases: row.purchases, codes: row.codes, secondsCounts: row.seconds_counts }
}
