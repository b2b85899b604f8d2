import type { StatusComponent, StatusState } from '#contract/status/status.ts'
import { FREE_MISSES, MISSES_PER_CODE } from '#server/core/catalog/offers/outcome-queries.ts'
import type { Db } from '#server/house/db/pool.ts'
import { isReal } from '#server/house/db/sandbox-sql.ts'
import { OF_ONE_LETTER } from '#server/house/mail/smtp.ts'
import type { Measured } from './measured.ts'

/** The sums of a service or of a country, of which the other is null. */
export type CodeSum = { service_code: string | null; country_id: number | null; purchases: number; codes: number }

/**
 * Sums the purchases that ended since a time, by service and by country. A buyer's misses of a service or country count
 * up to a limit, so that nobody makes it look broken by cancelling. `outcome_hours` has the limit by pair and week.
 */
export async function sumCodes(db: Db, since: Date): Promise<CodeSum[]> {
  const { rows } = await db.query<CodeSum>({
    name: 'status-codes',
    text: `SELECT service_code, country_id, sum(codes)::integer AS codes,
        sum(codes + LEAST(misses, ${FREE_MISSES} + ${MISSES_PER_CODE} * codes))::integer AS purchases
      FROM (
        SELECT user_id, service_code, country_id, count(first_code_at) AS codes, count(*) - count(first_code_at) AS misses
        FROM activations WHERE outcome_at > $1 AND outcome_at IS NOT NULL AND operator IS NOT NULL AND ${isReal()}
        GROUP BY GROUPING SETS ((user_id, service_code), (user_id, country_id))
      ) of_buyers
      GROUP BY service_code, country_id`,
    values: [since],
  })
  return rows
}

export type UsualSum = CodeSum & { week: number }

/** Sums the outcomes of the same hours of earlier weeks. `beginsAt` and `endsAt` have one time for each week. */
export async function sumUsual(db: Db, hours: { beginsAt: Date[]; endsAt: Date[] }): Promise<UsualSum[]> {
  const { rows } = await db.query<UsualSum>({
    name: 'status-usual',
    text: `SELECT week::integer AS week, service_code, country_id, sum(purchases)::integer AS purchases, sum(codes)::integer AS codes
      FROM unnest($beginsAt::timestamptz[], $endsAt::timestamptz[]) WITH ORDINALITY AS weeks (begins_at, ends_at, week)
      JOIN outcome_hours ON hour >= begins_at AND hour < ends_at
      GROUP BY GROUPING SETS ((week, service_code), (week, country_id))`,
    values: hours,
  })
  return rows
}

/** Seconds by which something waits or is late; 0 if nothing does. */
export type Delays = { intake: number; mails: number; payments: number; has_messages: boolean }

/** The maximum number of the newest requests with messages that are looked at. */
const LOOKED_AT = 500
/** A request that was tried so often has a trouble of its own, and tells nothing about the others. */
const TRIES_WAITED = 3

export async function findDelays(
  db: Db,
  input: { now: Date; intakeSince: Date; messagesSince: Date; gatewayIds: number[]; supplierIds: number[] },
): Promise<Delays> {
  const { rows } = await db.query<Delays>({
    name: 'status-delays',
    text: `SELECT
      GREATEST(0,
        (SELECT extract(epoch FROM $now::timestamptz - min(received_at)) FROM intake_requests
          WHERE state = 'stored' AND tries < ${TRIES_WAITED} AND supplier_id = ANY ($supplierIds)),
        (SELECT max(extract(epoch FROM settled_at - received_at)) FROM (
          SELECT settled_at, received_at FROM intake_requests WHERE state <> 'stored' AND received_at > $intakeSince
          ORDER BY received_at DESC LIMIT ${LOOKED_AT}) newest)
      )::float8 AS intake,
      EXISTS (SELECT FROM messages WHERE body IS NOT NULL AND received_at > $messagesSince AND ${isReal()}) AS has_messages,
      GREATEST(0, (
        SELECT extract(epoch FROM now() - min(due_at)) FROM (
          SELECT CASE WHEN j.attempts > 0 THEN j.created_at ELSE j.run_at END AS due_at
          FROM graphile_worker._private_jobs j JOIN graphile_worker._private_tasks t ON t.id = j.task_id
          WHERE t.identifier = 'send-mail' AND j.attempts < j.max_attempts AND j.locked_at IS NULL
            AND (j.last_error IS NULL OR j.last_error !~ '${OF_ONE_LETTER.source}')
        ) letters WHERE due_at <= now()
      ))::float8 AS mails,
      GREATEST(0, (
        SELECT extract(epoch FROM $now::timestamptz - min(next_check_at)) FROM payments
        WHERE next_check_at IS NOT NULL AND gateway_id = ANY ($gatewayIds)
      ))::float8 AS payments`,
    values: input,
  })
  return rows[0] ?? { intake: 0, mails: 0, payments: 0, has_messages: false }
}

export type Minutes = { day: string; component: StatusComponent; state: StatusState; minutes: number }

/** Stores a measurement, and adds its minutes to the days. */
export async function storeMeasured(
  db: Db,
  { measured, minutes, now }: { measured: Measured; minutes: readonly Minutes[]; now: Date },
): Promise<void> {
  await db.query({
    name: 'status-store',
    text: `WITH stored AS (
        INSERT INTO settings (key, value, updated_at) VALUES ('status_measured', $measured::jsonb, $now)
        ON CONFLICT (key) DO UPDATE SET value = excluded.value, updated_at = excluded.updated_at
      )
      INSERT INTO status_days AS d
        (day, component, working_minutes, slow_minutes, partly_minutes, down_minutes, unknown_minutes)
      SELECT day, component, ${['working', 'slow', 'partly', 'down', 'unknown'].map(minutesOf).join(', ')}
      FROM unnest($days::date[], $components::text[], $states::text[], $minutes::integer[]) AS given (day, component, state, minutes)
      GROUP BY day, component
      ON CONFLICT (day, component) DO UPDATE SET working_minutes = d.working_minutes + excluded.working_minutes,
        slow_minutes = d.slow_minutes + excluded.slow_minutes, partly_minutes = d.partly_minutes + excluded.partly_minutes,
        down_minutes = d.down_minutes + excluded.down_minutes, unknown_minutes = d.unknown_minutes + excluded.unknown_minutes`,
    values: {
      measured: JSON.stringify(measured),
      now,
      days: minutes.map(({ day }) => day),
      components: minutes.map(({ component }) => component),
      states: minutes.map(({ state }) => state),
      minutes: minutes.map((one) => one.minutes),
    },
  })
}

function minutesOf(state: string): string {
  return `COALESCE(sum(minutes) FILTER (WHERE state = '${state}'), 0)`
}

export async function findMeasured(db: Db): Promise<Measured | null> {
  const { rows } = await db.query<{ value: Measured }>({
    name: 'status-measured',
    text: `SELECT value FROM settings WHERE key = 'status_measured'`,
  })
  return rows[0]?.value ?? null
}

export type DayRow = {
  day: string
  component: StatusComponent
  working: number
  slow: number
  partly: number
  down: number
}

/** Lists the days with a state, from a day on. A day of which nothing could be told is left out. */
export async function listDays(db: Db, from: string): Promise<DayRow[]> {
  const { rows } = await db.query<DayRow>({
    name: 'status-days',
    text: `SELECT to_char(day, 'YYYY-MM-DD') AS day, component, working_minutes AS working, slow_minutes AS slow,
        partly_minutes AS partly, down_minutes AS down
      FROM status_days
      WHERE day >= $1::date AND working_minutes + slow_minutes + partly_minutes + down_minutes > 0 ORDER BY day`,
    values: [from],
  })
  return rows
}
