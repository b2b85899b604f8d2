import type { Db } from '#server/db/pool.ts'
import { captureHolds } from '#server/money/settle-sql.ts'
import { sqlStates, transitions } from '../state.ts'
import { rentalEvents, settleFirstCharge } from './row.ts'

const ACTIVE = sqlStates(transitions.live)

export type RentedNumber = { id: bigint; service_code: string }

/** Who has rented this number of this supplier; there is one at most. */
export async function findRented(db: Db, input: { supplierId: number; phone: string }): Promise<RentedNumber | null> {
  const { rows } = await db.query<RentedNumber>({
    name: 'rental-find-rented',
    text: `SELECT id, service_code FROM rentals WHERE phone = $1 AND state IN (${ACTIVE}) AND supplier_id = $2`,
    values: [input.phone, input.supplierId],
  })
  return rows[0] ?? null
}

/**
 * Stores a message and, in the same statement, gives it to the rental: the first one captures the price and burns the
 * number for its service. When the rental has just ended, the message is stored unmatched. A repeated message id violates
 * `messages_supplier_id_unique`, and the whole statement is undone.
 */
export async function storeRentalSms(
  db: Db,
  input: {
    supplierId: number
    phone: string
    sender: string
    text: string
    rentalId: bigint
    messageId: string | null
    code: string | null
    now: Date
  },
): Promise<{ messageId: bigint; rentalId: bigint | null }> {
  const { rows } = await db.query<{ message_id: bigint; rental_id: bigint | null }>({
    name: 'rental-store-sms',
    text: `WITH hit AS (
      UPDATE rentals SET sms_count = sms_count + 1, code = COALESCE($7, code), captured_at = COALESCE(captured_at, $8)
      WHERE id = $5 AND state IN (${ACTIVE})
      RETURNING id, user_id, service_code, phone, sms_count
    ), ${settleFirstCharge('hit', 'captured', '$8')}, ${captureHolds('settled', '$8', 'charge_id')}, burnt AS (
      INSERT INTO burnt_numbers (phone, service_code) SELECT phone, service_code FROM hit WHERE sms_count = 1
      ON CONFLICT DO NOTHING
    ), ${rentalEvents('hit', '$8', `'received'`)}, stored AS (
      INSERT INTO messages (supplier_id, supplier_message_id, phone, sender, body, code, rental_id, received_at)
      VALUES ($1, $6, $2, $3, $4, $7, (SELECT id FROM hit), $8)
      RETURNING id, rental_id
    )
    SELECT id AS message_id, rental_id FROM stored`,
    values: [
      input.supplierId,
      input.phone,
      input.sender,
      input.text,
      input.rentalId,
      input.messageId,
      input.code,
      input.now,
    ],
  })
  const row = rows[0]
  if (row === undefined) throw new Error('storing a message returned nothing')
  return { messageId: row.message_id, rentalId: row.rental_id }
}
