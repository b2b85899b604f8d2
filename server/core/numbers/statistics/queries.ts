import { OUTCOME_BOUNDS_SECONDS } from '#server/core/catalog/health/outcome-bounds.ts'
import type { Db } from '#server/house/db/pool.ts'

/** A row of sums. A null column means that the row sums over that column. */
export type StatisticsRow = {
  /** The position of the hour or day among the requested steps, starting at 1. */
  step: number | null
  service_code: string | null
  country_id: number | null
  purchases: number
  activations: number
  codes: number
  spent_micros: bigint
  seconds_counts: number[]
}

const CLASSES = Array.from({ length: OUTCOME_BOUNDS_SECONDS.length + 1 }, (_, place) => place + 1)
const CLASS_SUMS = CLASSES.map((place) => `sum(seconds_counts[${place}])::integer`).join(', ')

/** Sums a user's hourly statistics by step. An hour belongs to the step in which it begins. */
export async function sumUserHours(
  db: Db,
  input: {
    userId: number
    /** The times at which the steps begin, followed by the end of the last step. */
    stepsBeginAt: Date[]
    mode: 'activation' | 'rent' | null
    serviceCodes: string[] | null
    countryIds: number[] | null
  },
): Promise<StatisticsRow[]> {
  const { rows } = await db.query<StatisticsRow>({
    name: 'statistics-sum',
    text: `WITH wanted AS (
      SELECT width_bucket(hour, $stepsBeginAt::timestamptz[]) AS step, mode, service_code, country_id, purchases, codes,
        spent_micros, seconds_counts
      FROM user_hours WHERE user_id = $userId AND hour >= $beginsAt AND hour < $endsAt
        AND ($mode::text IS NULL OR mode = $mode)
        AND ($serviceCodes::text[] IS NULL OR service_code = ANY ($serviceCodes))
        AND ($countryIds::integer[] IS NULL OR country_id = ANY ($countryIds))
    )
    SELECT step, service_code, country_id, sum(purchases)::integer AS purchases,
      COALESCE(sum(purchases) FILTER (WHERE mode = 'activation'), 0)::integer AS activations,
      sum(codes)::integer AS codes, sum(spent_micros)::bigint AS spent_micros, ARRAY[${CLASS_SUMS}] AS seconds_counts
    FROM wanted GROUP BY GROUPING SETS ((step), (service_code), (country_id))`,
    values: { ...input, beginsAt: input.stepsBeginAt.at(0) ?? null, endsAt: input.stepsBeginAt.at(-1) ?? null },
  })
  return rows
}
