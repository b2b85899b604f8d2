import type { Db } from '#server/house/db/pool.ts'

const TEXTS = {
  activation: `SELECT activation_id AS id, sum(amount_micros)::bigint AS micros FROM transfers
    WHERE activation_id = ANY ($1) AND kind = 'refund' GROUP BY activation_id`,
  rental: `SELECT c.rental_id AS id, sum(t.amount_micros)::bigint AS micros
    FROM charges c JOIN transfers t ON t.charge_id = c.id AND t.kind = 'refund'
    WHERE c.rental_id = ANY ($1) GROUP BY c.rental_id`,
}

/** Sums the refunds of captured money by order id. Orders without a refund are absent. */
export async function listRefunded(
  db: Db,
  kind: keyof typeof TEXTS,
  ids: readonly bigint[],
): Promise<Map<bigint, bigint>> {
  if (ids.length === 0) return new Map()
  const { rows } = await db.query<{ id: bigint; micros: bigint }>({
    name: `${kind}-list-refunded`,
    text: TEXTS[kind],
    values: [ids],
  })
  return new Map(rows.map(({ id, micros }) => [id, micros]))
}
