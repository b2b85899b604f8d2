import type { Db } from '#server/db/pool.ts'
import { captureHolds } from '#server/money/settle-sql.ts'
import { sqlStates, transitions } from '../state.ts'
import { type ActivationRow, COLUMNS } from './row.ts'

export type ReceivedSms = {
  /** null: nobody holds the number now; the message is only stored. */
  activationId: bigint | null
  supplierId: number
  messageId: string | null
  phone: string
  sender: string
  text: string
  code: string | null
  now: Date
}

/**
 * Stores a message and, in the same statement, gives it to the activation: the first one captures the price and burns
 * the number for the service. When a cancel won the race, the message is stored unmatched and nothing else happens.
 * A repeated message id violates `messages_supplier_id_unique`, and the whole statement is undone.
 */
export async function storeSms(
  db: Db,
  input: ReceivedSms,
): Promise<{ messageId: bigint; activation: ActivationRow | null }> {
  const { rows } = await db.query<ActivationRow & { message_id: bigint }>({
    name: 'activation-store-sms',
    text: `WITH hit AS (
      UPDATE activations
      SET state = 'received', money = 'captured', sms_count = sms_count + 1, code = COALESCE($7, code),
          first_code_at = COALESCE(first_code_at, $8), outcome_at = COALESCE(outcome_at, $8)
      WHERE id = $1 AND state IN (${sqlStates(transitions.receive)})
      RETURNING ${COLUMNS}
    ), first AS (SELECT * FROM hit WHERE sms_count = 1),
    ${captureHolds('first', '$8')}, burnt AS (
      INSERT INTO burnt_numbers (phone, service_code) SELECT phone, service_code FROM first ON CONFLICT DO NOTHING
    ), received_event AS (
      INSERT INTO events (at, kind, user_id, subject_id) SELECT $8, 'activation.received', user_id, id FROM hit
    ), stored AS (
      INSERT INTO messages (supplier_id, supplier_message_id, phone, sender, body, code, activation_id, received_at)
      VALUES ($2, $3, $4, $5, $6, $7, (SELECT id FROM hit), $8)
      RETURNING id
    )
    SELECT stored.id AS message_id, hit.* FROM stored LEFT JOIN hit ON true`,
    values: [
      input.activationId,
      input.supplierId,
      input.messageId,
      input.phone,
      input.sender,
      input.text,
      input.code,
      input.now,
    ],
  })
  const row = rows[0]
  if (row === undefined) throw new Error('storing a message returned nothing')
  return { messageId: row.message_id, activation: row.id === null ? null : row }
}
