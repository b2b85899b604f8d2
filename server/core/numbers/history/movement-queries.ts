import type { Currency } from '#contract/money.ts'
import type { MOVEMENT_KINDS } from '#contract/past/history.ts'
import type { NamedValues } from '#server/house/db/named-values.ts'
import type { Db } from '#server/house/db/pool.ts'

export type MovementRow = {
  id: bigint
  kind: (typeof MOVEMENT_KINDS)[number]
  /** The change of the available balance; negative for money taken from it. */
  delta_micros: bigint
  balance_micros: bigint
  currency: Currency
  purpose: 'activation' | 'rental' | 'extension' | 'preorder' | null
  subject_id: bigint | null
  money: 'held' | 'captured' | 'released' | null
  service_code: string | null
  country_id: number | null
  transaction_id: string | null
  gateway_id: number | null
  system: string | null
  at: Date
}

/** A place in the list: movements with ids below `id` follow, and `balanceMicros` is the balance after the first. */
export type BalancePosition = { id: bigint; balanceMicros: bigint }

export type MovementsWanted = {
  userId: number
  after: BalancePosition
  beginsAt: Date | null
  endsAt: Date | null
  direction: 'in' | 'out' | null
  limit: number
  scanned: number
}

export const DELTA = `CASE WHEN to_account = 'available' THEN amount_micros ELSE -amount_micros END`
/** SQL: true if the transfer changes the available balance. Captures and referral earnings do not. */
const OF_BALANCE = `(from_account = 'available' OR to_account = 'available')`
export const OLDER = `FROM transfers WHERE user_id = $userId AND id < $afterId AND ${OF_BALANCE} ORDER BY id DESC`

/** Lists movements with the balance after each, by running sums in index order, only as far as the page needs. */
export async function listMovements(db: Db, wanted: MovementsWanted): Promise<MovementRow[]> {
  const { rows } = await db.query<MovementRow>({
    name: 'movements-list',
    text: `WITH page AS (
      SELECT * FROM (
        SELECT id, kind, delta_micros, currency, activation_id, charge_id, payment_id, at,
          $balanceMicros::bigint - COALESCE(sum(delta_micros)
          OVER (ORDER BY id DESC ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), 0)::bigint AS balance_micros
        FROM (SELECT *, ${DELTA} AS delta_micros ${OLDER} LIMIT $scanned) scanned
      ) known
      WHERE ($beginsAt::timestamptz IS NULL OR at >= $beginsAt) AND ($endsAt::timestamptz IS NULL OR at < $endsAt)
        AND ($direction::text IS NULL OR ($direction = 'in') = (delta_micros > 0))
      ORDER BY id DESC LIMIT $limit
    )
    SELECT page.id, page.kind, page.delta_micros, page.balance_micros, page.currency, page.at,
      CASE WHEN page.activation_id IS NOT NULL THEN 'activation' ELSE c.purpose END AS purpose,
      COALESCE(page.activation_id, c.rental_id, c.preorder_id) AS subject_id, COALESCE(a.money, c.money) AS money,
      COALESCE(a.service_code, r.service_code, p.service_code) AS service_code,
      COALESCE(a.country_id, r.country_id, p.country_id) AS country_id,
      t.transaction_id, t.gateway_id, t.system
    FROM page LEFT JOIN activations a ON a.id = page.activation_id LEFT JOIN charges c ON c.id = page.charge_id
      LEFT JOIN rentals r ON r.id = c.rental_id LEFT JOIN preorders p ON p.id = c.preorder_id
      LEFT JOIN payments t ON t.id = page.payment_id
    ORDER BY page.id DESC`,
    values: { ...wanted, ...standValues(wanted.after) },
  })
  return rows
}

/** Returns the position where a scan of `scanned` movements ends, or null if fewer movements are left. */
export async function findScanEnd(
  db: Db,
  input: { userId: number; after: BalancePosition; scanned: number },
): Promise<(BalancePosition & { at: Date }) | null> {
  const { rows } = await db.query<{ id: bigint; balance_micros: bigint; at: Date; count: bigint }>({
    name: 'movements-scan-end',
    text: `SELECT count(*) AS count, min(id) AS id, ($balanceMicros::bigint - sum(${DELTA}))::bigint AS balance_micros,
        min(at) AS at
      FROM (SELECT * ${OLDER} LIMIT $scanned) scanned`,
    values: { ...input, ...standValues(input.after) },
  })
  const row = rows[0]
  if (row === undefined || Number(row.count) < input.scanned) return null
  return { id: row.id, balanceMicros: row.balance_micros, at: row.at }
}

export function standValues({ id, balanceMicros }: BalancePosition): NamedValues {
  return { afterId: id, balanceMicros }
}

/** Returns the position of the page that begins with transfer `newestId`, with the balance after that transfer. */
export async function findBalancePosition(
  db: Db,
  input: { userId: number; newestId: bigint },
): Promise<BalancePosition | null> {
  const { rows } = await db.query<{ id: bigint; balance_micros: bigint }>({
    name: 'movements-stand',
    text: `SELECT $2::bigint + 1 AS id, (available_micros - COALESCE((SELECT sum(${DELTA}) FROM transfers
        WHERE user_id = $1 AND id > $2 AND ${OF_BALANCE}), 0))::bigint AS balance_micros
      FROM accounts WHERE user_id = $1`,
    values: [input.userId, input.newestId],
  })
  const row = rows[0]
  return row === undefined ? null : { id: row.id, balanceMicros: row.balance_micros }
}

export async function findTransferUpTo(
  db: Db,
  input: { userId: number; id: bigint },
): Promise<{ id: bigint; at: Date } | null> {
  const { rows } = await db.query<{ id: bigint; at: Date }>({
    name: 'movements-up-to',
    text: 'SELECT id, at FROM transfers WHERE user_id = $1 AND id <= $2 ORDER BY id DESC LIMIT 1',
    values: [input.userId, input.id],
  })
  return rows[0] ?? null
}
