import {
  insertMessageSql,
  messageValues,
  type NewMessage,
  TAKE_STORED,
} from '#server/core/numbers/ownership/queries/message-row.ts'
import { transitions } from '#server/core/numbers/rentals/state.ts'
import { codeTold, TOLD, type Told } from '#server/core/webhooks/queries/raise-sql.ts'
import type { Db } from '#server/house/db/pool.ts'
import { sqlList } from '#server/house/db/sql-list.ts'
import { captureHolds } from '#server/house/money/settle-sql.ts'
import { rentalEvents, settleFirstCharge } from './row.ts'

const ACTIVE = sqlList(transitions.live)

/**
 * Stores a message for the rental. The first message captures the price and marks the number as used. Returns null and
 * stores nothing if the rental has ended. A repeated message id violates `messages_supplier_id_unique`.
 */
export async function storeRentalSms(
  db: Db,
  { message, ...to }: { message: NewMessage; rentalId: bigint; code: string | null; given: string },
): Promise<{ messageId: bigint } | null> {
  const { rows } = await db.query<Told & { message_id: bigint }>({
    name: 'rental-store-sms',
    queuesJobs: 'told',
    text: `WITH ${giveTo('id = $rentalId')}, stored AS (
      ${insertMessageSql({ source: 'hit', code: '$code', given: '$given', rental: 'hit.id' })}
      RETURNING id AS message_id
    ), ${codeTold('rental', '(SELECT message_id, hit.* FROM stored, hit)')}
    SELECT message_id, ${TOLD} FROM stored`,
    values: { ...messageValues(message), ...to, now: message.storedAt },
  })
  const [row] = rows
  return row === undefined ? null : { messageId: row.message_id }
}

/** Gives a stored message to the rental. Returns false if the message is no longer in one of the states `from`. */
export async function giveRentalSms(
  db: Db,
  input: { id: bigint; from: readonly string[]; rentalId: bigint; code: string | null; given: string; now: Date },
): Promise<boolean> {
  const { rowCount } = await db.query({
    name: 'rental-give-sms',
    queuesJobs: 'told',
    text: `WITH ${TAKE_STORED}, ${giveTo('id = $rentalId AND EXISTS (SELECT FROM taken)')}, moved AS (
      UPDATE messages SET rental_id = hit.id, activation_id = NULL, code = $code, given = $given FROM hit, taken
      WHERE messages.id = taken.id
    ), ${codeTold('rental', '(SELECT taken.id AS message_id, hit.* FROM taken, hit)')}
    SELECT ${TOLD} FROM hit`,
    values: input,
  })
  return rowCount > 0
}

/** SQL: updates the rental that the SQL `which` finds; the CTE `hit` is the new row. Needs `$code`. */
function giveTo(which: string): string {
  return `hit AS (
      UPDATE rentals SET sms_count = sms_count + 1, code = COALESCE($code, code), captured_at = COALESCE(captured_at, $now)
      WHERE ${which} AND state IN (${ACTIVE})
      RETURNING id, user_id, service_code, country_id, phone, sms_count
    ), ${settleFirstCharge('hit', 'captured')}, ${captureHolds('settled', 'charge_id')}, burnt AS (
      INSERT INTO burnt_numbers (phone, service_code) SELECT phone, service_code FROM hit WHERE sms_count = 1
      ON CONFLICT DO NOTHING
    ), ${rentalEvents('hit', `'received'`)}`
}
