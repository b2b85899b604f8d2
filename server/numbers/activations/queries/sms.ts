import type { Db } from '#server/db/pool.ts'
import { sqlList } from '#server/db/sql-list.ts'
import { captureHold } from '#server/money/settle-sql.ts'
import { PUSH_RUNS, toldCodesSql } from '#server/notifications/queries/told-codes-sql.ts'
import { transitions } from '#server/numbers/activations/state.ts'
import {
  insertMessageSql,
  messageValues,
  type NewMessage,
  sameWordsSql,
  TAKE_STORED,
} from '#server/numbers/delivery/queries/message-row.ts'
import type { Codes } from '#server/numbers/messages/codes/extract-code.ts'
import { codeHooksSql } from '#server/webhooks/queries/raise-sql.ts'
import { SHOWN_COLUMNS, type ShownActivation } from './row.ts'

const ACTIVE = sqlList(transitions.receive)
const NUMBER = 'phone = $phone AND supplier_id = $supplierId'
const LIVE = `SELECT FROM activations WHERE ${NUMBER} AND state IN (${ACTIVE})`
const RENTED = `SELECT FROM rentals WHERE ${NUMBER} AND state = 'active'`
const endedAfter = (table: 'activations' | 'rentals', since: string) =>
  `SELECT FROM ${table} WHERE ${NUMBER} AND ended_at > ${since}`

/** The plain part of the rule of choose-owner.ts. */
const ONLY_HOLDER = `${NUMBER}
        AND (SELECT count(*) FROM activations WHERE ${NUMBER} AND state IN (${ACTIVE})) = 1
        AND NOT EXISTS (${endedAfter('activations', '$heldSince')})
        AND NOT EXISTS (${RENTED}) AND NOT EXISTS (${endedAfter('rentals', '$heldSince')})
        AND ($namedBy::text IS NULL OR $namedBy::text = 'hint' OR service_code = ANY ($namedServices::text[]))`
const UNHELD = `NOT EXISTS (${LIVE}) AND NOT EXISTS (${endedAfter('activations', '$lateSince')})
        AND NOT EXISTS (${RENTED}) AND NOT EXISTS (${endedAfter('rentals', '$lateSince')})`
const NOT_THE_SAME = `(NOT $byContent::boolean OR NOT EXISTS (SELECT FROM messages WHERE ${sameWordsSql('$since')}))`
const STORED = '(SELECT message_id, user_id FROM stored, hit)'
const HOOKED = codeHooksSql('activation', '(SELECT message_id, hit.* FROM stored, hit)')
const CODE = 'COALESCE($ownCodes::jsonb ->> service_code, $generalCode)'
const GIVEN = `CASE WHEN owner_id IS NULL THEN 'unmatched' WHEN $namedBy::text IS NULL OR service_code <> ALL ($namedServices::text[])
        THEN 'only-holder' WHEN $namedBy::text = 'hint' THEN 'hinted' ELSE 'named' END`

/** `activation` is the owner, null for nobody. */
type PlainlyStored = { messageId: bigint; code: string | null; activation: ShownActivation | null }

/**
 * The plain cases in one round trip: one activation alone holds the number, or nobody had it after `lateSince`. Null,
 * and nothing is stored, otherwise. `since`: the same words after it are a repeat. `heldSince`: who ended after it is a
 * holder too.
 */
export async function storePlainly(
  db: Db,
  input: { message: NewMessage; since: Date; heldSince: Date; lateSince: Date; codes: Codes },
): Promise<PlainlyStored | null> {
  const { message, codes, ...periods } = input
  const { rows } = await db.query<ShownActivation & { message_id: bigint; message_code: string | null }>({
    name: 'activation-store-sms-for-only-holder',
    text: `WITH ${giveTo(`${ONLY_HOLDER} AND ${NOT_THE_SAME}`, CODE)}, stored AS (
      ${insertMessageSql({
        source: `(SELECT id AS owner_id, service_code FROM hit
          UNION ALL SELECT NULL::bigint, NULL::text WHERE ${UNHELD} AND ${NOT_THE_SAME}) owner`,
        code: CODE,
        given: GIVEN,
        activation: 'owner_id',
      })}
      RETURNING id AS message_id, code AS message_code
    ), ${toldCodesSql(STORED)}, ${HOOKED}
    SELECT * FROM stored LEFT JOIN hit ON true WHERE ${PUSH_RUNS}`,
    values: {
      ...messageValues(message),
      ...periods,
      generalCode: codes.general,
      ownCodes: JSON.stringify(codes.own),
      now: message.storedAt,
    },
  })
  const row = rows[0]
  if (row === undefined) return null
  return { messageId: row.message_id, code: row.message_code, activation: row.id === null ? null : row }
}

/**
 * Stores a message for the activation; the first one captures the price and burns the number. Null, and nothing is
 * stored, when it has ended. A repeated message id violates `messages_supplier_id_unique`.
 */
export async function storeSms(
  db: Db,
  { message, ...to }: { message: NewMessage; activationId: bigint; code: string | null; given: string },
): Promise<{ messageId: bigint; activation: ShownActivation } | null> {
  const { rows } = await db.query<ShownActivation & { message_id: bigint }>({
    name: 'activation-store-sms',
    text: `WITH ${giveTo('id = $activationId', '$code')}, stored AS (
      ${insertMessageSql({ source: 'hit', code: '$code', given: '$given', activation: 'hit.id' })}
      RETURNING id AS message_id
    ), ${toldCodesSql(STORED)}, ${HOOKED}
    SELECT * FROM stored, hit WHERE ${PUSH_RUNS}`,
    values: { ...messageValues(message), ...to, now: message.storedAt },
  })
  const [row] = rows
  return row === undefined ? null : { messageId: row.message_id, activation: row }
}

/** For a stored message that still stands as `from` says. Null, and nothing changes, otherwise. */
export async function giveSms(
  db: Db,
  input: { id: bigint; from: readonly string[]; activationId: bigint; code: string | null; given: string; now: Date },
): Promise<ShownActivation | null> {
  const { rows } = await db.query<ShownActivation>({
    name: 'activation-give-sms',
    text: `WITH ${TAKE_STORED}, ${giveTo('id = $activationId AND EXISTS (SELECT FROM taken)', '$code')}, moved AS (
      UPDATE messages SET activation_id = hit.id, rental_id = NULL, code = $code, given = $given FROM hit, taken
      WHERE messages.id = taken.id
    ), ${toldCodesSql('(SELECT taken.id AS message_id, user_id FROM taken, hit)')},
    ${codeHooksSql('activation', '(SELECT taken.id AS message_id, hit.* FROM taken, hit)')}
    SELECT * FROM hit WHERE ${PUSH_RUNS}`,
    values: input,
  })
  return rows[0] ?? null
}

/** `hit` is the activation that `which` finds, after the message. */
function giveTo(which: string, code: string): string {
  return `hit AS (
      UPDATE activations
      SET state = 'received', money = 'captured', sms_count = sms_count + 1, code = COALESCE(${code}, code),
          first_code_at = COALESCE(first_code_at, $now), outcome_at = COALESCE(outcome_at, $now)
      WHERE ${which} AND state IN (${ACTIVE})
      RETURNING ${SHOWN_COLUMNS}
    ), first AS (
      SELECT id, user_id, service_code, phone, price_micros, currency FROM hit WHERE sms_count = 1
    ), ${captureHold('first')}, burnt AS (
      INSERT INTO burnt_numbers (phone, service_code) SELECT phone, service_code FROM first ON CONFLICT DO NOTHING
    ), received_event AS (
      INSERT INTO events (at, kind, user_id, subject_id) SELECT $now, 'activation.received', user_id, id FROM hit
    )`
}
