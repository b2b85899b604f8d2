import { DELTA, OLDER } from '#server/core/numbers/history/movement-queries.ts'
import type { Db } from '#server/house/db/pool.ts'

export type PaymentRow = {
  id: bigint
  kind: string
  delta_micros: bigint
  balance_micros: bigint
  system: string | null
  at: Date
  total: bigint
}

type Wanted = { userId: number; newestFirst: boolean; limit: number; offset: number; scanned: number }

/**
 * Lists the balance changes that are no orders, among the newest `scanned` changes. Balances are computed backwards
 * from today's balance.
 */
export async function listBalancePayments(db: Db, wanted: Wanted): Promise<PaymentRow[]> {
  const { rows } = await db.query<PaymentRow>({
    name: `five-sim-payments-${wanted.newestFirst}`,
    text: `WITH known AS (
        SELECT id, kind, delta_micros, payment_id, at,
          (SELECT available_micros FROM accounts WHERE user_id = $userId) - COALESCE(sum(delta_micros)
            OVER (ORDER BY id DESC ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), 0)::bigint AS balance_micros
        FROM (SELECT *, ${DELTA} AS delta_micros ${OLDER} LIMIT $scanned) scanned
      )
      SELECT known.id, kind, delta_micros, balance_micros, p.system, at, count(*) OVER () AS total
      FROM known LEFT JOIN payments p ON p.id = known.payment_id
      WHERE kind NOT IN ('hold', 'release', 'refund') ORDER BY known.id ${wanted.newestFirst ? 'DESC' : ''}
      LIMIT $limit OFFSET $offset`,
    values: { ...wanted, afterId: NEWEST_ID },
  })
  return rows
}

const NEWEST_ID = 9_223_372_036_854_775_807n
