import type { Currency } from '#contract/money.ts'
import type { Db } from '#server/house/db/pool.ts'
import { isReal } from '#server/house/db/sandbox-sql.ts'
import { OF_ONE_LETTER } from '#server/house/mail/smtp.ts'

/** Returns an SQL condition: the alarm or its whole kind is muted. The statement must have a value `$now`. */
const MUTED = (name: string) =>
  `EXISTS (SELECT FROM alarm_mutes m WHERE m.until > $now AND m.name IN (${name}, split_part(${name}, ' ', 1)))`

/** Stores an alarm. Returns true if it must be announced now, false if it is muted, null if it already stands. */
export async function beginAlarm(tx: Db, alarm: { name: string; about: string; now: Date }): Promise<boolean | null> {
  const { rows } = await tx.query<{ told: boolean }>({
    name: 'alarm-begin',
    text: `INSERT INTO alarms (name, about, began_at, told_at)
      SELECT $name, $about, $now, CASE WHEN ${MUTED('$name::text')} THEN NULL ELSE $now::timestamptz END
      ON CONFLICT (name) DO NOTHING RETURNING told_at IS NOT NULL AS told`,
    values: alarm,
  })
  return rows[0]?.told ?? null
}

export async function noteAbout(db: Db, alarm: { name: string; about: string }): Promise<void> {
  await db.query({
    name: 'alarm-about',
    text: 'UPDATE alarms SET about = $about WHERE name = $name',
    values: alarm,
  })
}

export async function endAlarm(tx: Db, name: string): Promise<{ told: boolean; began_at: Date } | null> {
  const { rows } = await tx.query<{ told: boolean; began_at: Date }>({
    name: 'alarm-end',
    text: 'DELETE FROM alarms WHERE name = $1 RETURNING told_at IS NOT NULL AS told, began_at',
    values: [name],
  })
  return rows[0] ?? null
}

/** Marks one standing alarm, whose mute is over, as announced. The caller must announce the returned alarm. */
export async function claimUntold(tx: Db, now: Date): Promise<Omit<StandingAlarm, 'told_at'> | null> {
  const { rows } = await tx.query<Omit<StandingAlarm, 'told_at'>>({
    name: 'alarm-claim-untold',
    text: `UPDATE alarms SET told_at = $now WHERE name = (
        SELECT name FROM alarms a WHERE told_at IS NULL AND NOT ${MUTED('a.name')} ORDER BY name LIMIT 1 FOR UPDATE SKIP LOCKED)
      RETURNING name, about, began_at`,
    values: { now },
  })
  return rows[0] ?? null
}

export type StandingAlarm = { name: string; about: string; began_at: Date; told_at: Date | null }

export async function listAlarms(db: Db): Promise<StandingAlarm[]> {
  const { rows } = await db.query<StandingAlarm>({
    name: 'alarm-list',
    text: 'SELECT name, about, began_at, told_at FROM alarms ORDER BY name',
  })
  return rows
}

export async function listMutes(db: Db, now: Date): Promise<{ name: string; until: Date }[]> {
  const { rows } = await db.query<{ name: string; until: Date }>({
    text: 'SELECT name, until FROM alarm_mutes WHERE until > $1 ORDER BY name',
    values: [now],
  })
  return rows
}

export async function muteAlarm(tx: Db, mute: { name: string; until: Date; now: Date }): Promise<void> {
  await tx.query({
    text: `INSERT INTO alarm_mutes (name, until, muted_at) VALUES ($name, $until, $now)
      ON CONFLICT (name) DO UPDATE SET until = $until, muted_at = $now`,
    values: mute,
  })
}

export async function isAlarmSubject(db: Db, about: string): Promise<boolean> {
  const { rows } = await db.query<{ known: boolean }>({
    text: `SELECT EXISTS (SELECT FROM suppliers WHERE code = $1 AND removed_at IS NULL) OR EXISTS (SELECT FROM gateways WHERE code = $1)
      OR EXISTS (SELECT FROM exchange_rates WHERE currency = $1) OR EXISTS (SELECT FROM alarms WHERE about = $1) AS known`,
    values: [about],
  })
  return rows[0]?.known ?? false
}

export async function unmuteAlarm(tx: Db, { name, now }: { name: string; now: Date }): Promise<boolean> {
  const { rows } = await tx.query<{ until: Date }>({
    text: 'DELETE FROM alarm_mutes WHERE name = $1 RETURNING until',
    values: [name],
  })
  return rows.some(({ until }) => until > now)
}

export type WatchedSupplier = {
  code: string
  paused: boolean
  cause: 'errors' | 'share' | null
  stock: bigint | null
  balance_micros: bigint | null
  balance_currency: Currency | null
  rating_low: boolean
  losses: number
  /**
   * The share of losses (charged orders that no buyer paid) in a supplier's charges of a day. It is 0 unless the number
   * of losses is at least `few` and below `many`.
   */
  lost_share: number
  last_sms_at: Date | null
  waiting: number
  buyers: number
}

/** Returns an SQL condition: supplier `s` charged for order `o`, which was made after `since`. */
export const charged = (since: string) =>
  `o.supplier_id = s.id AND o.asked_at > ${since} AND (o.is_loss OR o.ending = 'finished')`

export async function listWatched(
  db: Db,
  input: { waitingSince: Date; lossesSince: Date; few: number; many: number },
): Promise<WatchedSupplier[]> {
  const { rows } = await db.query<WatchedSupplier>({
    name: 'alarm-watched',
    text: `SELECT s.code, s.paused_at IS NOT NULL AS paused, h.cause, h.stock, h.balance_micros, h.balance_currency, h.last_sms_at,
        COALESCE(r.rating_low, false) AS rating_low, l.losses,
        CASE WHEN l.losses >= $few::integer AND l.losses < $many::integer THEN COALESCE(l.micros / NULLIF((
          SELECT sum(o.cost_micros) FROM resold_orders o WHERE ${charged('$lossesSince')}), 0), 0)::float8 ELSE 0 END AS lost_share,
        COALESCE(w.waiting, 0) AS waiting, COALESCE(w.buyers, 0) AS buyers
      FROM suppliers s LEFT JOIN supplier_standings h ON h.supplier_id = s.id
      LEFT JOIN resell_accounts r ON r.supplier_id = s.id
      CROSS JOIN LATERAL (
        SELECT count(*)::integer AS losses, COALESCE(sum(o.cost_micros), 0) AS micros FROM resold_orders o
        WHERE o.supplier_id = s.id AND o.is_loss AND o.ended_at > $lossesSince
      ) l
      LEFT JOIN (
        SELECT supplier_id, count(*)::integer AS waiting, count(DISTINCT user_id)::integer AS buyers
        FROM activations WHERE state = 'waiting' AND state IN ('waiting', 'received', 'waiting_again') AND created_at <= $waitingSince
        GROUP BY supplier_id
      ) w ON w.supplier_id = s.id
      WHERE s.removed_at IS NULL AND NOT s.sandbox ORDER BY s.id`,
    values: input,
  })
  return rows
}

export type InService = { id: number; code: string; paused: boolean; settled: boolean }

/** Lists suppliers in service. `settled` is true if the supplier was added long enough ago to have started. */
export async function listInService(db: Db, settledBefore: Date): Promise<InService[]> {
  const { rows } = await db.query<InService>({
    name: 'alarm-suppliers',
    text: `SELECT id, code, paused_at IS NOT NULL AS paused, created_at <= $settledBefore AS settled
      FROM suppliers WHERE removed_at IS NULL AND NOT sandbox ORDER BY id`,
    values: { settledBefore },
  })
  return rows
}

/**
 * The number of newest messages that are counted; more within an hour are a flood, which cannot hide a lasting loss.
 */
const SCANNED = 100_000
/** The maximum number of messages to one phone number that count, because a real loss affects many numbers. */
const MOST_OF_ONE_NUMBER = 3

/** Counts messages with a code that matched no activation. Messages without a code are adverts and do not count. */
export async function countUnmatched(db: Db, input: { since: Date }): Promise<number> {
  const { rows } = await db.query<{ count: number }>({
    name: 'alarm-unmatched',
    text: `SELECT COALESCE(sum(LEAST(of_number, $2)), 0)::integer AS count FROM (
      SELECT count(*) AS of_number FROM (
        SELECT phone, code FROM messages
        WHERE given = 'unmatched' AND given = ANY ('{unmatched,late,operator,junk}'::text[]) AND received_at >= $1 AND ${isReal()}
        ORDER BY received_at DESC LIMIT $3) newest
      WHERE code IS NOT NULL GROUP BY phone) numbers`,
    values: [input.since, MOST_OF_ONE_NUMBER, SCANNED],
  })
  return rows[0]?.count ?? 0
}

export async function countUnowned(db: Db): Promise<number> {
  const { rows } = await db.query<{ count: number }>({
    name: 'alarm-unowned',
    text: `SELECT count(*)::integer AS count FROM users u JOIN accounts a ON a.user_id = u.id
      WHERE u.erased_at IS NOT NULL AND a.available_micros > 0`,
  })
  return rows[0]?.count ?? 0
}

/** SQL: mail jobs `j` that have failed for ten minutes and wait for a retry, without failures of a single recipient. */
export const UNSENT = `FROM graphile_worker._private_jobs j JOIN graphile_worker._private_tasks t ON t.id = j.task_id
      WHERE t.identifier = 'send-mail' AND j.attempts < j.max_attempts AND j.run_at > now()
        AND j.created_at <= now() - interval '10 minutes' AND j.last_error !~ '${OF_ONE_LETTER.source}'`

export async function countUnsent(db: Db): Promise<number> {
  const { rows } = await db.query<{ count: number }>({
    name: 'alarm-unsent',
    text: `SELECT count(*)::integer AS count ${UNSENT}`,
  })
  return rows[0]?.count ?? 0
}

export async function countReferralWaiting(db: Db): Promise<{ withdrawals: number; suspects: number }> {
  const { rows } = await db.query<{ withdrawals: number; suspects: number }>({
    name: 'alarm-referral',
    text: `SELECT (SELECT count(*)::integer FROM referral_withdrawals WHERE state IN ('asked', 'approved')) AS withdrawals,
      (SELECT count(*)::integer FROM referral_invitations WHERE state = 'suspected') AS suspects`,
  })
  return rows[0] ?? { withdrawals: 0, suspects: 0 }
}

export async function cancelReading(db: Db, applicationName: string): Promise<void> {
  await db.query({
    text: `SELECT pg_cancel_backend(pid) FROM pg_stat_activity
      WHERE datname = current_database() AND application_name = $1 AND state <> 'idle'`,
    values: [applicationName],
  })
}
