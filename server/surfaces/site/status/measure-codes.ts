import type { StatusState } from '#contract/status/status.ts'
import { DAY, HOUR } from '#contract/time.ts'
import { catalogOf } from '#server/core/catalog/offers/catalog-index.ts'
import type { Context } from '#server/house/context.ts'
import { perContext } from '#server/house/memory.ts'
import { type Figure, type Measured, rank, rounded, type Shares, sampleOf, UNKNOWN } from './measured.ts'
import { type CodeSum, sumCodes, sumUsual, type UsualSum } from './queries.ts'
import {
  CHANCE_DEVIATIONS,
  CODES_WINDOW_MS,
  LEAST_PURCHASES,
  LEAST_PURCHASES_OF_WEEK,
  LEAST_WEEKS,
  stateOf,
} from './thresholds.ts'

const WEEKS = 4
/** The maximum number of services, and of countries, that are shown. */
const SHOWN = 8

/** The usual shares of codes at one hour of the week, by `service tg` or `country 2`. */
type Usual = { hour: number; shares: ReadonlyMap<string, number> }

const usualOf = perContext(
  'usual shares of codes',
  { scope: 'process', nodes: 'own', lost: 'nothing: they are read from the tables' },
  (): Usual => ({ hour: Number.NaN, shares: new Map() }),
)

export type MeasuredCodes = Pick<Measured, 'services' | 'countries'> & { figure: Figure }

/** Measures the shares of codes of the last hour against those of the same hour of earlier weeks. */
export async function measureCodes(ctx: Context): Promise<MeasuredCodes> {
  const now = ctx.clock.now().getTime()
  const sums = await sumCodes(ctx.db, new Date(now - CODES_WINDOW_MS))
  const shares = await readUsual(ctx, now)
  const { services, countries } = catalogOf(ctx)
  const ofServices = sums.filter((sum) => sum.service_code !== null)
  return {
    figure: overall(ofServices, shares),
    services: mostImportant(
      ofServices.flatMap((sum) => {
        const id = sum.service_code ?? ''
        return services.get(id)?.blocked_at === null
          ? [{ sum, shares: { id, ...judge(sum, shares.get(keyOf(sum))) } }]
          : []
      }),
    ),
    countries: mostImportant(
      sums.flatMap((sum) => {
        const id = sum.country_id ?? -1
        return countries.get(id)?.visible === true
          ? [{ sum, shares: { id, ...judge(sum, shares.get(keyOf(sum))) } }]
          : []
      }),
    ),
  }
}

/** The usual shares change with the hour alone, and reading four weeks takes the longest. */
async function readUsual(ctx: Context, now: number): Promise<Usual['shares']> {
  const usual = usualOf(ctx)
  // The hour in the middle of the last sixty minutes, and one beside it on each side.
  const hour = Math.floor((now - CODES_WINDOW_MS / 2) / HOUR)
  if (usual.hour === hour) return usual.shares
  const weeks = Array.from({ length: WEEKS }, (_, place) => hour * HOUR - (place + 1) * 7 * DAY)
  const rows = await sumUsual(ctx.db, {
    beginsAt: weeks.map((at) => new Date(at - HOUR)),
    endsAt: weeks.map((at) => new Date(at + 2 * HOUR)),
  })
  return Object.assign(usual, { hour, shares: mediansOf(rows) }).shares
}

function mediansOf(rows: readonly UsualSum[]): Usual['shares'] {
  const enough = rows.filter(({ purchases }) => purchases >= LEAST_PURCHASES_OF_WEEK)
  const byKey = Map.groupBy(enough, keyOf)
  return new Map(
    [...byKey].flatMap(([key, weeks]) => {
      if (weeks.length < LEAST_WEEKS) return []
      const sorted = weeks.map(({ codes, purchases }) => codes / purchases).toSorted((a, b) => a - b)
      const [low = 0, high = 0] = [sorted[(sorted.length - 1) >> 1], sorted[sorted.length >> 1]]
      return [[key, (low + high) / 2] as const]
    }),
  )
}

function keyOf({ service_code: service, country_id: country }: CodeSum): string {
  return service === null ? `country ${country}` : `service ${service}`
}

type Judged = Omit<Shares<never>, 'id'>

function judge({ purchases, codes }: Pick<CodeSum, 'purchases' | 'codes'>, usual: number | undefined): Judged {
  const isEnough = purchases >= LEAST_PURCHASES
  return {
    state: isEnough && usual !== undefined ? stateOfCodes({ purchases, codes, usual }) : 'unknown',
    share: isEnough ? rounded(codes / purchases) : null,
    usual: usual === undefined ? null : rounded(usual),
    sample: sampleOf(purchases),
  }
}

/** Returns `working` for a share that chance explains, because a small sample often has a few codes less. */
function stateOfCodes({ purchases, codes, usual }: { purchases: number; codes: number; usual: number }): StatusState {
  const expected = purchases * usual
  const deviation = Math.sqrt(expected * (1 - usual))
  if (expected === 0 || codes >= expected - CHANCE_DEVIATIONS * deviation) return 'working'
  return stateOf('codes', codes / expected)
}

/** Sums over services whose usual share is known, so that a change in what is bought changes nothing. */
function overall(sums: readonly CodeSum[], shares: Usual['shares']): Figure {
  let [purchases, codes, expected] = [0, 0, 0]
  for (const sum of sums) {
    const usual = shares.get(keyOf(sum))
    if (usual === undefined) continue
    purchases += sum.purchases
    codes += sum.codes
    expected += sum.purchases * usual
  }
  if (purchases === 0) return UNKNOWN
  const { share, ...rest } = judge({ purchases, codes }, expected / purchases)
  return { ...rest, value: share }
}

/** Lists what is in trouble first, then what is bought most. */
function mostImportant<Id>(rows: { sum: CodeSum; shares: Shares<Id> }[]): Shares<Id>[] {
  const trouble = ({ state }: Shares<Id>) => Math.max(rank('working'), rank(state))
  return rows
    .filter(({ shares }) => shares.sample !== null)
    .toSorted((a, b) => trouble(b.shares) - trouble(a.shares) || b.sum.purchases - a.sum.purchases)
    .slice(0, SHOWN)
    .map(({ shares }) => shares)
}
