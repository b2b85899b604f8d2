import type { OrderKind } from '#server/core/numbers/listing/queries/happenings.ts'
import type { Db } from '#server/house/db/pool.ts'

export async function rentalOfCharge(tx: Db, chargeId: bigint): Promise<bigint | null> {
  const { rows } = await tx.query<{ rental_id: bigint | null }>({
    name: 'refund-rental-of-charge',
    text: 'SELECT rental_id FROM charges WHERE id = $1',
    values: [chargeId],
  })
  return rows[0]?.rental_id ?? null
}

export async function lockRental(tx: Db, id: bigint): Promise<{ id: bigint; extension_id: bigint | null } | null> {
  const { rows } = await tx.query<{ id: bigint; extension_id: bigint | null }>({
    name: 'refund-lock-rental',
    text: 'SELECT id, extension_id FROM rentals WHERE id = $1 FOR UPDATE',
    values: [id],
  })
  return rows[0] ?? null
}

export async function keepsMoney(tx: Db, rentalId: bigint): Promise<boolean> {
  const { rowCount } = await tx.query({
    name: 'refund-keeps-money',
    text: `SELECT FROM charges c WHERE c.rental_id = $1 AND c.money = 'captured'
      AND NOT EXISTS (SELECT FROM transfers t WHERE t.charge_id = c.id AND t.kind = 'refund') LIMIT 1`,
    values: [rentalId],
  })
  return rowCount === 1
}

export type ToldOrder = { service_code: string; country_id: number; phone: string | null }

const TABLES = { activation: 'activations', rental: 'rentals' } as const

/** Finds what a refund's notification tells of the order. Returns null if the buyer's account was deleted. */
export async function findTold(tx: Db, { kind, id }: { kind: OrderKind; id: bigint }): Promise<ToldOrder | null> {
  const { rows } = await tx.query<ToldOrder>({
    name: `refund-told-${kind}`,
    text: `SELECT o.service_code, o.country_id, o.phone FROM ${TABLES[kind]} o JOIN users u ON u.id = o.user_id
      WHERE o.id = $1 AND u.erased_at IS NULL`,
    values: [id],
  })
  return rows[0] ?? null
}
