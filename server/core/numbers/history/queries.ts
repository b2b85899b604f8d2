import type { ActivationState } from '#contract/activation.ts'
import type { Currency } from '#contract/money.ts'
import type { HistoryOutcome } from '#contract/past/history.ts'
import type { RentalState } from '#contract/rental.ts'
import type { NamedValues } from '#server/house/db/named-values.ts'
import type { Db } from '#server/house/db/pool.ts'
import type { PageCursor } from './cursor.ts'

export type HistoryRow = {
  mode: 'activation' | 'rent'
  id: bigint
  at_micros: bigint
  state: ActivationState | RentalState
  outcome: HistoryOutcome
  /** The state of the money of an activation, or of a rental's first period. */
  money: 'held' | 'captured' | 'released'
  service_code: string
  country_id: number
  operator: string | null
  supplier_id: number
  phone: string | null
  price_micros: bigint
  paid_micros: bigint
  refunded_micros: bigint
  currency: Currency
  hours: number | null
  code: string | null
  sms_count: number
  created_at: Date
  ended_at: Date | null
}

export type HistorySpan = { userId: number; after: PageCursor; beginsAt: Date | null; scanned: number }

export type HistoryWanted = {
  serviceCodes: string[] | null
  countryIds: number[] | null
  outcome: HistoryOutcome | null
  /** The search fields. A purchase matches if any field matches; null means no search. */
  search: { phonePart: string | null; serviceCodes: string[]; countryIds: number[]; id: bigint | null } | null
  limit: number
}

const SPAN = `user_id = $userId
        AND (created_at, id) < ('epoch'::timestamptz + $afterMicros::bigint * interval '1 microsecond', $afterId)
        AND created_at >= COALESCE($beginsAt, '-infinity'::timestamptz)
      ORDER BY created_at DESC, id DESC`
const AT_MICROS = '(extract(epoch FROM created_at) * 1000000)::bigint AS at_micros'
/** SQL: true if a purchase matches the filter. A purchase that got no number (state `failed`) never matches. */
const WANTED = `state <> 'failed' AND ($serviceCodes::text[] IS NULL OR service_code = ANY ($serviceCodes))
        AND ($countryIds::integer[] IS NULL OR country_id = ANY ($countryIds))
        AND ($outcome::text IS NULL OR outcome = $outcome)
        AND (NOT $searches OR phone LIKE '%' || $phonePart || '%' OR service_code = ANY ($foundServiceCodes)
          OR country_id = ANY ($foundCountryIds) OR id = $foundId)
      ORDER BY created_at DESC, id DESC LIMIT $limit`

/** The subquery reads the buyer's few refunds once, not once for each row. */
const ACTIVATIONS = `SELECT 'activation' AS mode, ${AT_MICROS}, id, state, outcome, money, service_code, country_id, operator,
      supplier_id, phone, price_micros, CASE outcome WHEN 'returned' THEN 0 ELSE price_micros END AS paid_micros,
      CASE WHEN outcome = 'returned' AND money = 'captured' THEN price_micros ELSE 0 END AS refunded_micros, currency,
      NULL::integer AS hours, code, sms_count, created_at, ended_at
    FROM (
      SELECT scanned.*, CASE WHEN money = 'released'
          OR id IN (SELECT activation_id FROM transfers WHERE user_id = $userId AND kind = 'refund'
            AND activation_id IS NOT NULL)
          THEN 'returned' WHEN state = 'finished' THEN 'received' ELSE 'active' END AS outcome
      FROM (SELECT * FROM activations WHERE ${SPAN} LIMIT $scanned) scanned
    ) known WHERE ${WANTED}`

/** A rental's price is the sum of its periods, or of the first period alone if its money was returned. */
const RENTALS = `SELECT 'rent' AS mode, at_micros, page.id, state, outcome, paid.money, service_code, country_id, operator,
      supplier_id, phone, paid.price_micros, paid.paid_micros, paid.refunded_micros, paid.currency, hours, code, sms_count, created_at, ended_at
    FROM (
      SELECT known.*, ${AT_MICROS} FROM (
        SELECT scanned.*, CASE WHEN state IN ('cancelled', 'revoked', 'failed') OR id IN (
            SELECT c.rental_id FROM transfers t JOIN charges c ON c.id = t.charge_id
            WHERE t.user_id = $userId AND t.kind = 'refund' AND c.purpose = 'rental')
          THEN 'returned' WHEN state IN ('finished', 'expired') THEN 'received' ELSE 'active' END AS outcome
        FROM (SELECT * FROM rentals WHERE ${SPAN} LIMIT $scanned) scanned
      ) known WHERE ${WANTED}
    ) page CROSS JOIN LATERAL (
      SELECT sum(c.price_micros)::bigint AS price_micros, min(c.currency) AS currency,
        min(c.money) FILTER (WHERE c.purpose = 'rental') AS money,
        COALESCE(sum(c.price_micros) FILTER (WHERE c.money <> 'released' AND t.id IS NULL), 0)::bigint AS paid_micros,
        COALESCE(sum(t.amount_micros), 0)::bigint AS refunded_micros
      FROM charges c LEFT JOIN transfers t ON t.charge_id = c.id AND t.kind = 'refund'
      WHERE c.rental_id = page.id AND (c.purpose = 'rental' OR c.money <> 'released')
    ) paid ORDER BY created_at DESC, page.id DESC`

const STATEMENTS = { activation: ACTIVATIONS, rent: RENTALS }
const TABLES = { activation: 'activations', rent: 'rentals' }

export async function listPast(
  db: Db,
  mode: 'activation' | 'rent',
  input: { span: HistorySpan; wanted: HistoryWanted },
): Promise<HistoryRow[]> {
  const { rows } = await db.query<HistoryRow>({
    name: `history-list-${mode}`,
    text: STATEMENTS[mode],
    values: { ...spanValues(input.span), ...wantedValues(input.wanted) },
  })
  return rows
}

export type PastTotals = {
  purchases: bigint
  spent_micros: bigint
  set_aside_micros: bigint
  returned_micros: bigint
  codes: bigint
  ended: bigint
}

/**
 * Sums the purchases of a mode within the first `span.scanned`. An activation is charged by its first code, so its money
 * tells whether a code came, even after the code was deleted.
 */
export async function sumPast(
  db: Db,
  mode: 'activation' | 'rent',
  input: { span: HistorySpan; wanted: HistoryWanted },
): Promise<PastTotals> {
  const { rows } = await db.query<PastTotals>({
    name: `history-totals-${mode}`,
    text: `SELECT count(*) AS purchases,
        COALESCE(sum(paid_micros) FILTER (WHERE money <> 'held'), 0)::bigint AS spent_micros,
        COALESCE(sum(paid_micros) FILTER (WHERE money = 'held'), 0)::bigint AS set_aside_micros,
        COALESCE(sum(price_micros - paid_micros), 0)::bigint AS returned_micros,
        count(*) FILTER (WHERE mode = 'activation' AND money = 'captured') AS codes,
        count(*) FILTER (WHERE mode = 'activation' AND money <> 'held') AS ended
      FROM (${STATEMENTS[mode]}) past`,
    values: { ...spanValues(input.span), ...wantedValues(input.wanted) },
  })
  const [row] = rows
  if (row === undefined) throw new Error('an aggregate without a row')
  return row
}

function wantedValues(wanted: HistoryWanted): NamedValues {
  return {
    ...wanted,
    searches: wanted.search !== null,
    phonePart: wanted.search?.phonePart ?? null,
    foundServiceCodes: wanted.search?.serviceCodes ?? [],
    foundCountryIds: wanted.search?.countryIds ?? [],
    foundId: wanted.search?.id ?? null,
  }
}

/**
 * Returns the position of the last purchase within the first `span.scanned` purchases. Returns null if fewer purchases
 * are left.
 */
export async function findSpanEnd(db: Db, mode: 'activation' | 'rent', span: HistorySpan): Promise<PageCursor | null> {
  const { rows } = await db.query<{ id: bigint; at_micros: bigint }>({
    name: `history-span-end-${mode}`,
    text: `SELECT id, ${AT_MICROS} FROM ${TABLES[mode]} WHERE ${SPAN} OFFSET $offset LIMIT 1`,
    values: { ...spanValues(span), offset: span.scanned - 1 },
  })
  const row = rows[0]
  return row === undefined ? null : { atMicros: row.at_micros, id: row.id }
}

function spanValues(span: HistorySpan): NamedValues {
  return { ...span, afterMicros: span.after.atMicros, afterId: span.after.id }
}

export async function findMadeAt(db: Db, input: { userId: number; id: bigint }): Promise<Date | null> {
  const { rows } = await db.query<{ created_at: Date }>({
    name: 'history-find-made-at',
    text: `SELECT created_at FROM activations WHERE id = $2 AND user_id = $1
      UNION ALL SELECT created_at FROM rentals WHERE id = $2 AND user_id = $1`,
    values: [input.userId, input.id],
  })
  return rows[0]?.created_at ?? null
}
