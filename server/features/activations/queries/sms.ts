import type { Db } from '#server/db/pool.ts'
import type { Codes } from '#server/features/messages/extract-code.ts'
import { captureHold } from '#server/money/settle-sql.ts'
import { sqlStates, transitions } from '../state.ts'
import { SHOWN_COLUMNS, type ShownActivation } from './row.ts'

const ACTIVE = sqlStates(transitions.receive)

/** A message as it came: $1 to $4 of every statement here. */
type Words = { supplierId: number; phone: string; sender: string; text: string }

/** What is stored of it besides; both statements that store it number these $6 and $8. */
type Receipt = { messageId: string | null; now: Date }

const SAME_WORDS = 'phone = $2 AND received_at > $5 AND supplier_id = $1 AND sender = $3 AND body = $4'

/** When the same words from the same sender last came for this number, not before `since`; null when they did not. */
export async function findSameSms(db: Db, input: Words & { since: Date }): Promise<Date | null> {
  const { rows } = await db.query<{ received_at: Date }>({
    name: 'message-find-same',
    text: `SELECT received_at FROM messages WHERE ${SAME_WORDS} ORDER BY received_at DESC LIMIT 1`,
    values: [input.supplierId, input.phone, input.sender, input.text, input.since],
  })
  return rows[0]?.received_at ?? null
}

/**
 * The plain case in one round trip: finds the one activation that holds the number, and does for it what storeSms does.
 * Null, and nothing is stored, when nobody or several hold it, when its holder ended while this waited for the row, or
 * when a message without an id says what one after `since` said: the caller then looks closer.
 */
export async function storeForOnlyHolder(
  db: Db,
  input: Words & Receipt & { since: Date; codes: Codes },
): Promise<{ messageId: bigint; code: string | null; activation: ShownActivation } | null> {
  const code = 'COALESCE($9::jsonb ->> service_code, $7)'
  const { rows } = await db.query<ShownActivation & { message_id: bigint; message_code: string | null }>({
    name: 'activation-store-sms-for-only-holder',
    text: `WITH ${giveTo(
      `phone = $2 AND supplier_id = $1
        AND (SELECT count(*) FROM activations WHERE phone = $2 AND supplier_id = $1 AND state IN (${ACTIVE})) = 1
        AND ($6::text IS NOT NULL OR NOT EXISTS (SELECT FROM messages WHERE ${SAME_WORDS}))`,
      code,
    )}, stored AS (
      INSERT INTO messages (supplier_id, supplier_message_id, phone, sender, body, code, activation_id, received_at)
      SELECT $1, $6, $2, $3, $4, ${code}, id, $8 FROM hit
      RETURNING id AS message_id, code AS message_code
    )
    SELECT * FROM stored, hit`,
    values: [
      input.supplierId,
      input.phone,
      input.sender,
      input.text,
      input.since,
      input.messageId,
      input.codes.general,
      input.now,
      JSON.stringify(input.codes.own),
    ],
  })
  const row = rows[0]
  return row === undefined ? null : { messageId: row.message_id, code: row.message_code, activation: row }
}

/**
 * Stores a message and, in the same statement, gives it to the activation: the first one captures the price and burns
 * the number for the service. When a cancel won the race, the message is stored unmatched and nothing else happens.
 * A repeated message id violates `messages_supplier_id_unique`, and the whole statement is undone.
 */
export async function storeSms(
  db: Db,
  input: Words &
    Receipt & {
      /** null: nobody holds the number now; the message is only stored. */
      activationId: bigint | null
      code: string | null
    },
): Promise<{ messageId: bigint; activation: ShownActivation | null }> {
  const { rows } = await db.query<ShownActivation & { message_id: bigint }>({
    name: 'activation-store-sms',
    text: `WITH ${giveTo('id = $5', '$7')}, stored AS (
      INSERT INTO messages (supplier_id, supplier_message_id, phone, sender, body, code, activation_id, received_at)
      VALUES ($1, $6, $2, $3, $4, $7, (SELECT id FROM hit), $8)
      RETURNING id
    )
    SELECT stored.id AS message_id, hit.* FROM stored LEFT JOIN hit ON true`,
    values: [
      input.supplierId,
      input.phone,
      input.sender,
      input.text,
      input.activationId,
      input.messageId,
      input.code,
      input.now,
    ],
  })
  const row = rows[0]
  if (row === undefined) throw new Error('storing a message returned nothing')
  return { messageId: row.message_id, activation: row.id === null ? null : row }
}

/** What a message does to the activation that `which` finds and to its buyer's money; `hit` is that activation after it. */
function giveTo(which: string, code: string): string {
  return `hit AS (
      UPDATE activations
      SET state = 'received', money = 'captured', sms_count = sms_count + 1, code = COALESCE(${code}, code),
          first_code_at = COALESCE(first_code_at, $8), outcome_at = COALESCE(outcome_at, $8)
      WHERE ${which} AND state IN (${ACTIVE})
      RETURNING ${SHOWN_COLUMNS}
    ), first AS (
      SELECT id, user_id, service_code, phone, price_micros, currency FROM hit WHERE sms_count = 1
    ), ${captureHold('first', '$8')}, burnt AS (
      INSERT INTO burnt_numbers (phone, service_code) SELECT phone, service_code FROM first ON CONFLICT DO NOTHING
    ), received_event AS (
      INSERT INTO events (at, kind, user_id, subject_id) SELECT $8, 'activation.received', user_id, id FROM hit
    )`
}
