import { ACTIVE_STATES } from '#contract/activation.ts'
import {
  STORED_COLUMNS,
  type StoredMessage,
  type StoredRow,
  toStoredMessage,
} from '#server/core/numbers/ownership/queries/message-row.ts'
import type { Db } from '#server/house/db/pool.ts'
import { isReal } from '#server/house/db/sandbox-sql.ts'
import { sqlList } from '#server/house/db/sql-list.ts'

export type UnmatchedMessage = StoredMessage & { supplierId: number }

type Row = StoredRow & { supplier_id: number }

/** Lists a number's unmatched messages, oldest first. Messages dated after `now` are left out. */
export async function listUnmatched(
  db: Db,
  input: { supplierId: number; phone: string; since: Date; now: Date; limit: number },
): Promise<UnmatchedMessage[]> {
  const { rows } = await db.query<Row>({
    name: 'message-list-unmatched',
    text: `SELECT supplier_id, ${STORED_COLUMNS} FROM messages
      WHERE phone = $phone AND received_at BETWEEN $since AND $now AND supplier_id = $supplierId AND given = 'unmatched' ORDER BY received_at, id LIMIT $limit`,
    values: input,
  })
  return rows.map(toUnmatched)
}

/**
 * Lists unmatched messages whose number has an open order that was made before the message. Searches the newest
 * `scanned` messages; leaves out those dated after `now`.
 */
export async function listLeftUnmatched(
  db: Db,
  input: { since: Date; now: Date; scanned: number; limit: number },
): Promise<UnmatchedMessage[]> {
  const bought = (table: string, live: string) => `SELECT FROM ${table} o
      WHERE o.phone = m.phone AND o.state IN (${live}) AND o.supplier_id = m.supplier_id AND o.created_at <= m.received_at`
  const { rows } = await db.query<Row>({
    name: 'message-list-left-unmatched',
    text: `SELECT supplier_id, ${STORED_COLUMNS} FROM (
        SELECT * FROM messages WHERE given = 'unmatched' AND received_at BETWEEN $since AND $now ORDER BY received_at DESC LIMIT $scanned
      ) m WHERE EXISTS (${bought('activations', sqlList(ACTIVE_STATES))})
        OR EXISTS (${bought('rentals', `'active'`)})
      ORDER BY received_at, id LIMIT $limit`,
    values: input,
  })
  return rows.map(toUnmatched)
}

function toUnmatched(row: Row): UnmatchedMessage {
  return { ...toStoredMessage(row), supplierId: row.supplier_id }
}

export type AsideMessage = StoredRow & {
  supplier: string
  activation_id: bigint | null
  rental_id: bigint | null
}

export type AsideFilter = {
  given: readonly string[]
  phone: string | null
  supplier: string | null
  since: Date
  limit: number
}

export async function listAside(db: Db, filter: AsideFilter): Promise<AsideMessage[]> {
  const { rows } = await db.query<AsideMessage>({
    text: `SELECT ${STORED_COLUMNS}, activation_id, rental_id, (SELECT code FROM suppliers WHERE id = supplier_id) AS supplier
      FROM messages WHERE given = ANY ('{unmatched,late,operator,junk}'::text[]) AND given = ANY ($given) AND received_at >= $since
        AND ($phone::text IS NULL OR phone = $phone)
        AND (($supplier::text IS NULL AND ${isReal()}) OR supplier_id = (SELECT id FROM suppliers WHERE code = $supplier))
      ORDER BY received_at DESC, id DESC LIMIT $limit`,
    values: filter,
  })
  return rows
}

/** `reader_id` is the account that can read the message, or null. `play` marks a message of the sandbox. */
export type ReadMessage = StoredRow & { reader_id: number | null; play: boolean }

export async function lockMessage(tx: Db, id: bigint): Promise<ReadMessage | null> {
  const text = `SELECT ${STORED_COLUMNS}, COALESCE((SELECT user_id FROM activations WHERE id = activation_id),
      (SELECT user_id FROM rentals WHERE id = rental_id)) AS reader_id, NOT ${isReal()} AS play
    FROM messages WHERE id = $1 FOR UPDATE`
  return (await tx.query<ReadMessage>({ text, values: [id] })).rows[0] ?? null
}

type AttachingOrder = { phone: string | null; service_code: string; user_id: number; created_at: Date; play: boolean }

export async function findOrderOf(
  db: Db,
  order: { kind: 'activation' | 'rental'; id: bigint },
): Promise<AttachingOrder | null> {
  const { rows } = await db.query<AttachingOrder>({
    text: `SELECT phone, service_code, user_id, created_at, NOT ${isReal()} AS play FROM ${order.kind === 'rental' ? 'rentals' : 'activations'} WHERE id = $1`,
    values: [order.id],
  })
  return rows[0] ?? null
}

export async function findGiven(
  db: Db,
  id: bigint,
): Promise<(StoredRow & { activation_id: bigint | null; rental_id: bigint | null }) | null> {
  const text = `SELECT ${STORED_COLUMNS}, activation_id, rental_id FROM messages WHERE id = $1`
  const { rows } = await db.query<StoredRow & { activation_id: bigint | null; rental_id: bigint | null }>({
    text,
    values: [id],
  })
  return rows[0] ?? null
}
