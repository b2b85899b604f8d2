import type { ShareState } from '#contract/programmes/referral.ts'
import { type Db, SLOW_LIMIT_MS } from '#server/house/db/pool.ts'

export type Figures = {
  available_micros: bigint
  pending_micros: bigint
  checking_micros: bigint
  withdrawn_micros: bigint
  invited: bigint
  paying: bigint
}

const SHOWN_STATE = `CASE WHEN s.state = 'available' THEN 'available' WHEN i.state = 'suspected' THEN 'checking' ELSE 'pending' END`

export async function findFigures(db: Db, userId: number): Promise<Figures> {
  const { rows } = await db.query<Figures>({
    name: 'referral-figures',
    text: `WITH waiting AS (
      SELECT COALESCE(sum(s.due_micros) FILTER (WHERE i.state <> 'suspected'), 0)::bigint AS pending,
        COALESCE(sum(s.due_micros) FILTER (WHERE i.state = 'suspected'), 0)::bigint AS checking
      FROM referral_invitations i JOIN referral_shares s ON s.invited_id = i.invited_id AND s.state = 'pending' WHERE i.user_id = $1
    )
    SELECT (SELECT referral_micros FROM accounts WHERE user_id = $1) AS available_micros,
      pending AS pending_micros, checking AS checking_micros,
      (SELECT COALESCE(sum(amount_micros), 0)::bigint FROM referral_withdrawals WHERE user_id = $1 AND state <> 'refused') AS withdrawn_micros,
      (SELECT count(*) FROM users WHERE referrer_id = $1) AS invited,
      (SELECT count(*) FROM referral_invitations WHERE user_id = $1) AS paying
    FROM waiting`,
    values: [userId],
    limitMs: SLOW_LIMIT_MS,
  })
  const row = rows[0]
  if (row === undefined) throw new Error('figures have one row')
  return row
}

export type DayRow = { date: string; state: ShareState; micros: bigint; shares: bigint; available_at: Date | null }

/** SQL: the shares listed for a day; the condition must equal that of the index `referral_shares_days`. */
const LISTED = `s.user_id = $userId AND s.state <> 'refused' AND s.due_micros > 0`

/** SQL: the newest day with shares before `moment`, found without reading the shares of later days. */
const dayBefore = (moment: string) => `SELECT date_trunc('day', s.created_at, 'UTC') FROM referral_shares s
  WHERE ${LISTED} AND s.created_at < ${moment} ORDER BY s.created_at DESC LIMIT 1`

/** The maximum number of listed days, each of which costs an index look-up; the personal data export has older ones. */
export const MOST_DAYS = 1_000

/** Lists a referrer's referral shares summed by day and state, `limit` days a page. `total` counts days. */
export async function listShareDays(
  db: Db,
  input: { userId: number; offset: number; limit: number },
): Promise<{ rows: DayRow[]; total: number }> {
  // A page beyond the last one gives one row without a day.
  const { rows } = await db.query<(DayRow | { date: null }) & { total: bigint }>({
    name: 'referral-share-days',
    text: `WITH RECURSIVE days (day, place) AS (
        SELECT (${dayBefore(`'infinity'`)}), 1
        UNION ALL SELECT (${dayBefore('days.day')}), place + 1 FROM days WHERE day IS NOT NULL AND place < $mostDays
      ), page AS (
        SELECT day FROM days WHERE day IS NOT NULL ORDER BY day DESC OFFSET $offset LIMIT $limit
      )
      SELECT to_char(page.day AT TIME ZONE 'UTC', 'YYYY-MM-DD') AS date, listed.*, counted.total
      FROM (SELECT count(*) AS total FROM days WHERE day IS NOT NULL) counted LEFT JOIN page ON true LEFT JOIN LATERAL (
        SELECT ${SHOWN_STATE} AS state, sum(s.due_micros)::bigint AS micros, count(*) AS shares,
          max(s.available_at) FILTER (WHERE s.state = 'pending' AND i.state <> 'suspected') AS available_at
        FROM referral_shares s JOIN referral_invitations i USING (invited_id)
        WHERE ${LISTED} AND s.created_at >= page.day AND s.created_at < page.day + interval '24 hours' GROUP BY 1
      ) listed ON true
      ORDER BY page.day DESC, listed.state`,
    values: { ...input, mostDays: MOST_DAYS },
    limitMs: SLOW_LIMIT_MS,
  })
  return { rows: rows.flatMap((row) => (row.date === null ? [] : [row])), total: Number(rows[0]?.total ?? 0n) }
}
