import type { Db } from '#server/house/db/pool.ts'
import { limitValues, type PurchaseLimits, reachedLimit } from './queries/limits-sql.ts'

export async function findPairState(
  db: Db,
  input: { userId: number; serviceCode: string; countryId: number; now: Date },
): Promise<{ blocked: boolean; pausedUntil: Date | null }> {
  const { rows } = await db.query<{ blocked: boolean | null; paused_until: Date | null }>({
    name: 'limits-pair',
    text: `SELECT (SELECT blocked_at IS NOT NULL FROM services WHERE code = $serviceCode) AS blocked,
      (SELECT max(until) FROM purchase_pauses
        WHERE user_id = $userId AND service_code = $serviceCode AND country_id = $countryId AND until > $now) AS paused_until`,
    values: input,
  })
  return { blocked: rows[0]?.blocked ?? false, pausedUntil: rows[0]?.paused_until ?? null }
}

type LimitState = {
  reached: 'open_numbers' | 'day_spend' | null
  /** The account's maximum of open numbers; valid only if that limit was reached. */
  openLimit: number
  dayLimitMicros: bigint
  spentMicros: bigint
}

/** Repeats the check of the statement that holds money, and returns the figures of the limits. */
export async function findLimits(
  db: Db,
  input: {
    userId: number
    priceMicros: bigint
    opensNumber: boolean
    limits: PurchaseLimits
    besides: bigint | null
    now: Date
  },
): Promise<LimitState> {
  const { rows } = await db.query<{
    reached: LimitState['reached']
    open_limit: number | null
    day_limit: bigint | null
    spent: bigint
  }>({
    name: input.opensNumber ? 'limits-find' : 'limits-find-spend',
    text: `SELECT ${reachedLimit({ opensNumber: input.opensNumber, besides: '$besides::bigint' })} AS reached,
        COALESCE(open_numbers_limit, $openLimit::integer) AS open_limit,
        COALESCE(day_spend_limit_micros, $dayLimit::bigint) AS day_limit,
        spent_since($userId, $now::timestamptz - interval '24 hours', $besides::bigint) AS spent
      FROM accounts WHERE user_id = $userId`,
    values: { ...input, ...limitValues(input.limits) },
  })
  const row = rows[0]
  return {
    reached: row?.reached ?? null,
    openLimit: row?.open_limit ?? 0,
    dayLimitMicros: row?.day_limit ?? 0n,
    spentMicros: row?.spent ?? 0n,
  }
}

export type Pause = { serviceCode: string; countryId: number; until: Date }

export async function listOpenPauses(db: Db, input: { userId: number; now: Date }): Promise<Pause[]> {
  const { rows } = await db.query<{ service_code: string; country_id: number; until: Date }>({
    name: 'limits-list-pauses',
    text: `SELECT service_code, country_id, max(until) AS until FROM purchase_pauses
      WHERE user_id = $1 AND until > $2 GROUP BY service_code, country_id ORDER BY until, service_code, country_id`,
    values: [input.userId, input.now],
  })
  return rows.map((row) => ({ serviceCode: row.service_code, countryId: row.country_id, until: row.until }))
}
