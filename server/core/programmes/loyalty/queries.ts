import type { Currency } from '#contract/money.ts'
import type { LoyaltyPeriod } from '#contract/programmes/loyalty.ts'
import type { LoyaltyRank, LoyaltySettings } from '#server/house/config/programme-settings.ts'
import { type Db, SLOW_LIMIT_MS } from '#server/house/db/pool.ts'

export type PeriodBounds = { begins_at: Date; ends_at: Date }
export type PeriodRow = PeriodBounds & { id: number; kind: LoyaltyPeriod; time_zone: string }

/** SQL: the amount that each deposit still counts for. Reversals are deducted from the newest deposits first. */
const COUNTED = `SELECT p.user_id, d.at,
      d.amount_micros - LEAST(d.amount_micros, GREATEST(0, back.micros - newer.micros)) AS micros
    FROM deposits d JOIN payments p ON p.id = d.payment_id
      JOIN transfers t ON t.deposit_id = d.id AND t.kind = 'topup'
      CROSS JOIN LATERAL (SELECT COALESCE(sum(amount_micros), 0) AS micros FROM reversals
        WHERE payment_id = p.id AND state NOT IN ('failed', 'won')) back
      CROSS JOIN LATERAL (SELECT COALESCE(sum(amount_micros), 0) AS micros FROM deposits
        WHERE payment_id = p.id AND id > d.id) newer`

const COLUMNS = 'id, kind, time_zone, begins_at, ends_at'

export async function findPeriodAt(db: Db, now: Date): Promise<PeriodRow | null> {
  const { rows } = await db.query<PeriodRow>({
    name: 'loyalty-period-at',
    text: `SELECT ${COLUMNS} FROM loyalty_periods WHERE begins_at <= $1 AND ends_at > $1`,
    values: [now],
  })
  return rows[0] ?? null
}

/**
 * Returns the configured week or month around `now`, shortened where stored periods overlap it. Weeks begin on Monday.
 */
export async function findFreeBounds(
  db: Db,
  { period, timeZone, now }: Pick<LoyaltySettings, 'period' | 'timeZone'> & { now: Date },
): Promise<PeriodBounds> {
  const { rows } = await db.query<PeriodBounds>({
    name: 'loyalty-free-bounds',
    text: `WITH plain AS (
        SELECT date_trunc($period, $now::timestamptz AT TIME ZONE $timeZone) AT TIME ZONE $timeZone AS begins_at,
          (date_trunc($period, $now::timestamptz AT TIME ZONE $timeZone) + ('1 ' || $period)::interval)
            AT TIME ZONE $timeZone AS ends_at
      )
      SELECT GREATEST(begins_at, (SELECT max(ends_at) FROM loyalty_periods WHERE ends_at <= $now)) AS begins_at,
        LEAST(ends_at, (SELECT min(begins_at) FROM loyalty_periods WHERE begins_at > $now)) AS ends_at
      FROM plain`,
    values: { period, timeZone, now },
  })
  const row = rows[0]
  if (row === undefined) throw new Error('a period has bounds')
  return row
}

export async function insertPeriod(
  tx: Db,
  row: PeriodBounds & Pick<LoyaltySettings, 'period' | 'timeZone'>,
): Promise<number | null> {
  const { rows } = await tx.query<{ id: number }>({
    name: 'loyalty-period-insert',
    text: `INSERT INTO loyalty_periods (kind, time_zone, begins_at, ends_at)
      VALUES ($period, $timeZone, $begins_at, $ends_at) ON CONFLICT ON CONSTRAINT loyalty_periods_apart DO NOTHING RETURNING id`,
    values: row,
  })
  return rows[0]?.id ?? null
}

export async function insertRanks(
  tx: Db,
  { periodId, currency, ranks }: { periodId: number; currency: Currency; ranks: readonly LoyaltyRank[] },
): Promise<void> {
  await tx.query({
    name: 'loyalty-ranks-insert',
    text: `INSERT INTO loyalty_ranks (period_id, currency, top_up_micros, points)
      SELECT $periodId, $currency, top_up_micros, points FROM unnest($limits::bigint[], $points::integer[]) AS rank (top_up_micros, points)`,
    values: {
      periodId,
      currency,
      limits: ranks.map(({ topUpMicros }) => topUpMicros),
      points: ranks.map(({ points }) => points),
    },
  })
}

export async function listRanks(
  db: Db,
  { periodId, currency }: { periodId: number; currency: Currency },
): Promise<LoyaltyRank[]> {
  const { rows } = await db.query<LoyaltyRank>({
    name: 'loyalty-ranks',
    text: `SELECT top_up_micros AS "topUpMicros", points FROM loyalty_ranks WHERE period_id = $1 AND currency = $2
      ORDER BY top_up_micros`,
    values: [periodId, currency],
  })
  return rows
}

export async function listDuePeriods(db: Db, input: { endedBefore: Date; limit: number }): Promise<PeriodRow[]> {
  const { rows } = await db.query<PeriodRow>({
    name: 'loyalty-periods-due',
    text: `SELECT ${COLUMNS} FROM loyalty_periods WHERE paid_at IS NULL AND ends_at <= $endedBefore ORDER BY ends_at LIMIT $limit`,
    values: input,
  })
  return rows
}

export async function notePaid(db: Db, input: { id: number; now: Date }): Promise<void> {
  await db.query({
    name: 'loyalty-period-paid',
    text: 'UPDATE loyalty_periods SET paid_at = $2 WHERE id = $1',
    values: [input.id, input.now],
  })
}

/** Reopens paid periods that have not ended after all, because the clock was set back. */
export async function reopenPeriods(db: Db, { endedBefore }: { endedBefore: Date }): Promise<void> {
  await db.query({
    name: 'loyalty-periods-reopen',
    text: 'UPDATE loyalty_periods SET paid_at = NULL WHERE paid_at IS NOT NULL AND ends_at > $1',
    values: [endedBefore],
  })
}

/** Lists users whose reward of the period is missing or was computed from a sum that has changed. */
export async function listUncounted(
  db: Db,
  input: { periodId: number; bounds: PeriodBounds; after: number; limit: number },
): Promise<number[]> {
  const { rows } = await db.query<{ user_id: number }>({
    name: 'loyalty-uncounted',
    text: `SELECT counted.user_id FROM (
        SELECT user_id, sum(micros) AS micros FROM (${COUNTED} WHERE d.at >= $beginsAt AND d.at < $endsAt AND p.user_id > $after) parts
        GROUP BY user_id
      ) counted LEFT JOIN loyalty_rewards r ON r.user_id = counted.user_id AND r.period_id = $periodId
      WHERE counted.micros <> COALESCE(r.top_up_micros, 0) ORDER BY counted.user_id LIMIT $limit`,
    values: { ...input, beginsAt: input.bounds.begins_at, endsAt: input.bounds.ends_at },
    limitMs: SLOW_LIMIT_MS,
  })
  return rows.map(({ user_id }) => user_id)
}

export async function sumCounted(db: Db, input: { userId: number; bounds: PeriodBounds }): Promise<bigint> {
  const { rows } = await db.query<{ micros: bigint }>({
    name: 'loyalty-counted',
    text: `SELECT COALESCE(sum(micros), 0)::bigint AS micros
      FROM (${COUNTED} WHERE p.user_id = $userId AND d.at >= $beginsAt AND d.at < $endsAt) parts`,
    values: { userId: input.userId, beginsAt: input.bounds.begins_at, endsAt: input.bounds.ends_at },
  })
  return rows[0]?.micros ?? 0n
}

export type UncountedReversal = { id: bigint; user_id: number; payment_id: bigint; state: string }

export async function listUncountedReversals(db: Db, limit: number): Promise<UncountedReversal[]> {
  const { rows } = await db.query<UncountedReversal>({
    name: 'loyalty-reversals',
    text: `SELECT r.id, p.user_id, r.payment_id, r.state FROM reversals r JOIN payments p ON p.id = r.payment_id
      WHERE r.counted_state IS DISTINCT FROM r.state ORDER BY r.id LIMIT $1`,
    values: [limit],
  })
  return rows
}

export async function listPeriodsOf(
  db: Db,
  input: { paymentId: bigint; endedBefore: Date; limit: number },
): Promise<PeriodRow[]> {
  const { rows } = await db.query<PeriodRow>({
    name: 'loyalty-periods-of-payment',
    text: `SELECT ${COLUMNS} FROM loyalty_periods l WHERE ends_at <= $endedBefore AND EXISTS (SELECT FROM deposits d
        WHERE d.payment_id = $paymentId AND d.at >= l.begins_at AND d.at < l.ends_at) ORDER BY ends_at LIMIT $limit`,
    values: input,
  })
  return rows
}

/** Marks a reversal as counted in its present state; the next run counts a concurrent change. */
export async function noteCounted(tx: Db, input: { id: bigint; state: string }): Promise<void> {
  await tx.query({
    name: 'loyalty-reversal-counted',
    text: 'UPDATE reversals SET counted_state = $2 WHERE id = $1',
    values: [input.id, input.state],
  })
}

export type RewardRow = { id: bigint; top_up_micros: bigint; points: number; reward_micros: bigint; changes: number }

export async function findReward(tx: Db, input: { userId: number; periodId: number }): Promise<RewardRow | null> {
  const { rows } = await tx.query<RewardRow>({
    name: 'loyalty-reward-find',
    text: 'SELECT id, top_up_micros, points, reward_micros, changes FROM loyalty_rewards WHERE user_id = $1 AND period_id = $2',
    values: [input.userId, input.periodId],
  })
  return rows[0] ?? null
}

/** Stores the only reward of a user in a period. The account must be locked. */
export async function storeReward(
  tx: Db,
  input: {
    userId: number
    periodId: number
    currency: Currency
    topUpMicros: bigint
    points: number
    rewardMicros: bigint
    now: Date
  },
): Promise<RewardRow> {
  const { rows } = await tx.query<RewardRow>({
    name: 'loyalty-reward-store',
    text: `INSERT INTO loyalty_rewards AS r (user_id, period_id, currency, top_up_micros, points, reward_micros, changed_at)
      VALUES ($userId, $periodId, $currency, $topUpMicros, $points, $rewardMicros, $now)
      ON CONFLICT ON CONSTRAINT loyalty_rewards_once DO UPDATE SET top_up_micros = excluded.top_up_micros,
        points = excluded.points, reward_micros = excluded.reward_micros, changes = r.changes + 1, changed_at = excluded.changed_at
      RETURNING id, top_up_micros, points, reward_micros, changes`,
    values: input,
  })
  const row = rows[0]
  if (row === undefined) throw new Error('a reward was not stored')
  return row
}

export type ShownReward = PeriodBounds & {
  time_zone: string
  top_up_micros: bigint
  points: number
  reward_micros: bigint
}

export async function listRewards(db: Db, input: { userId: number; limit: number }): Promise<ShownReward[]> {
  const { rows } = await db.query<ShownReward>({
    name: 'loyalty-rewards',
    text: `SELECT l.time_zone, l.begins_at, l.ends_at, r.top_up_micros, r.points, r.reward_micros
      FROM loyalty_rewards r JOIN loyalty_periods l ON l.id = r.period_id
      WHERE r.user_id = $userId AND (r.reward_micros > 0 OR r.changes > 1) ORDER BY l.begins_at DESC LIMIT $limit`,
    values: input,
  })
  return rows
}
