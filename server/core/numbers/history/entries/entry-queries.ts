import type { Currency } from '#contract/money.ts'
import { MOST_STEPS, type StepKind } from '#contract/past/entries.ts'
import type { DisputeState, PaymentState } from '#contract/payment.ts'
import { disputeOf } from '#server/core/payments/queries/payments.ts'
import type { Db } from '#server/house/db/pool.ts'
import { DELTA, type MovementsWanted, OLDER, standValues } from '../movement-queries.ts'
import { BOUND, COLUMNS, MEMBERS } from './member-queries.ts'

/** SQL: the change of the balance by a transfer. A capture changes nothing, because the hold already took the money. */
const CHANGE = `CASE WHEN to_account = 'available' THEN amount_micros WHEN from_account = 'available' THEN -amount_micros ELSE 0 END`

export type StepRow = {
  entry_id: bigint
  entry_balance_micros: bigint
  currency: Currency
  activation_id: bigint | null
  rental_id: bigint | null
  preorder_id: bigint | null
  payment_id: bigint | null
  service_code: string | null
  country_id: number | null
  transaction_id: string | null
  gateway_id: number | null
  system: string | null
  state: PaymentState | null
  dispute: DisputeState | null
  id: bigint
  kind: StepKind
  amount_micros: bigint
  delta_micros: bigint
  purpose: 'activation' | 'rental' | 'extension' | 'preorder' | null
  at: Date
  /** The position of the movement in its entry, newest first, starting at 1. */
  place: bigint
  steps_count: bigint
  net_micros: bigint
  /** The entry's sum of movements of this kind and purpose, on the oldest of them; null on the other movements. */
  kind_micros: bigint | null
}

/**
 * Lists entries of the balance history that are older than `after`, newest first. An entry joins all movements of one
 * purchase or payment, oldest first. Its place is that of its newest movement that changed the balance. Transfers newer
 * than `topId` are ignored, so a purchase that gets movements during paging appears on exactly one page. A payment,
 * rental or pre-order may have thousands of movements. So the whole entry is read once, for the newest movement that
 * the scan meets, and not for each.
 */
export async function listEntries(db: Db, wanted: MovementsWanted & { topId: bigint }): Promise<StepRow[]> {
  const { rows } = await db.query<StepRow>({
    name: 'entries-list',
    text: `WITH heads AS (
      SELECT k.id AS entry_id, k.balance_micros AS entry_balance_micros, k.currency, bound.* FROM (
        SELECT *, $balanceMicros::bigint - COALESCE(sum(delta_micros)
          OVER (ORDER BY id DESC ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), 0)::bigint AS balance_micros
        FROM (SELECT scanned.*, num_nonnulls(payment_id, c.rental_id, c.preorder_id) = 0 AS is_alone,
            row_number() OVER (PARTITION BY payment_id, c.rental_id, c.preorder_id ORDER BY scanned.id DESC) AS place
          FROM (SELECT *, ${DELTA} AS delta_micros ${OLDER} LIMIT $scanned) scanned LEFT JOIN LATERAL
            (SELECT rental_id, preorder_id FROM charges WHERE id = charge_id OFFSET 0) c ON true OFFSET 0) placed
      ) k ${BOUND}
      CROSS JOIN LATERAL (SELECT max(id) FILTER (WHERE kind <> 'capture') AS newest_id, sum(${CHANGE}) AS net_micros
        FROM (${MEMBERS}) m WHERE id <= $topId) whole
      WHERE ($beginsAt::timestamptz IS NULL OR k.at >= $beginsAt) AND ($endsAt::timestamptz IS NULL OR k.at < $endsAt)
        AND (k.is_alone OR k.place = 1) AND k.id = COALESCE(whole.newest_id, k.id)
        AND CASE $direction::text WHEN 'in' THEN COALESCE(whole.net_micros, k.delta_micros) > 0
          WHEN 'out' THEN COALESCE(whole.net_micros, k.delta_micros) < 0 ELSE true END
      ORDER BY k.id DESC LIMIT $limit
    ), steps AS (
      SELECT heads.*, m.id, m.kind, m.amount_micros, ${CHANGE} AS delta_micros, m.at,
        CASE WHEN m.activation_id IS NOT NULL THEN 'activation' ELSE (SELECT purpose FROM charges WHERE id = m.charge_id) END AS purpose
      FROM heads CROSS JOIN LATERAL (
        SELECT * FROM (${MEMBERS.replaceAll('bound.', 'heads.')}) joined WHERE id <= $topId
        UNION ALL SELECT ${COLUMNS} FROM transfers t WHERE t.id = heads.entry_id
          AND num_nonnulls(heads.activation_id, heads.rental_id, heads.preorder_id, heads.payment_id) = 0
      ) m
    ), counted AS (
      SELECT *, row_number() OVER (PARTITION BY entry_id ORDER BY id DESC) AS place,
        count(*) OVER (PARTITION BY entry_id) AS steps_count,
        (sum(delta_micros) OVER (PARTITION BY entry_id))::bigint AS net_micros,
        CASE WHEN id = min(id) OVER same THEN (sum(amount_micros) OVER same)::bigint END AS kind_micros
      FROM steps WINDOW same AS (PARTITION BY entry_id, kind, purpose = 'preorder')
    )
    SELECT counted.*, COALESCE(a.service_code, r.service_code, p.service_code) AS service_code,
      COALESCE(a.country_id, r.country_id, p.country_id) AS country_id, t.transaction_id, t.gateway_id, t.system, t.state, ${disputeOf('t')} AS dispute
    FROM counted LEFT JOIN activations a ON a.id = counted.activation_id LEFT JOIN rentals r ON r.id = counted.rental_id
      LEFT JOIN preorders p ON p.id = counted.preorder_id LEFT JOIN payments t ON t.id = counted.payment_id
    WHERE place <= ${MOST_STEPS} OR kind_micros IS NOT NULL
    ORDER BY entry_id DESC, counted.id`,
    values: { ...wanted, ...standValues(wanted.after) },
  })
  return rows
}
