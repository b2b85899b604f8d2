import {
  STORED_COLUMNS,
  type StoredMessage,
  type StoredRow,
  toStoredMessage,
} from '#server/core/numbers/ownership/queries/message-row.ts'
import { type Db, SLOW_LIMIT_MS } from '#server/house/db/pool.ts'
import { isReal } from '#server/house/db/sandbox-sql.ts'

export type StandingMessage = StoredMessage & {
  supplierId: number
  given: string
  code: string | null
  orderId: bigint | null
}

type Row = StoredRow & { supplier_id: number; code: string | null; order_id: bigint | null }

/**
 * Lists messages with text to real (not sandbox) numbers, newest first. Leaves out messages that no rule judged,
 * because staff attached them or they were folded into a summary line.
 */
export async function listStanding(
  db: Db,
  input: { since: Date; before: bigint | null; limit: number },
): Promise<StandingMessage[]> {
  const { rows } = await db.query<Row>({
    text: `SELECT ${STORED_COLUMNS}, supplier_id, code, COALESCE(activation_id, rental_id) AS order_id FROM messages
      WHERE received_at >= $since AND ($before::bigint IS NULL OR id < $before) AND body IS NOT NULL AND ${isReal()}
        AND given IS NOT NULL AND given NOT IN ('by-hand', 'folded')
      ORDER BY id DESC LIMIT $limit`,
    values: input,
    limitMs: SLOW_LIMIT_MS,
  })
  return rows.map((row) => ({
    ...toStoredMessage(row),
    supplierId: row.supplier_id,
    given: row.given,
    code: row.code,
    orderId: row.order_id,
  }))
}
