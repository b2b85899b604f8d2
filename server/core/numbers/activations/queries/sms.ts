import { transitions } from '#server/core/numbers/activations/state.ts'
import type { Naming } from '#server/core/numbers/messages/naming.ts'
import type { Given } from '#server/core/numbers/ownership/choose-owner.ts'
import {
  insertMessageSql,
  messageValues,
  type NewMessage,
  namingValues,
  sameWordsSql,
  TAKE_STORED,
} from '#server/core/numbers/ownership/queries/message-row.ts'
import { codeTold, TOLD, type Told } from '#server/core/webhooks/queries/raise-sql.ts'
import type { Db } from '#server/house/db/pool.ts'
import { sqlList } from '#server/house/db/sql-list.ts'
import { captureHold } from '#server/house/money/settle-sql.ts'
import { type ActivationRow, COLUMNS, SHOWN_COLUMNS, type ShownActivation } from './row.ts'

const ACTIVE = sqlList(transitions.receive)
const NUMBER = 'phone = $phone AND supplier_id = $supplierId'
const LIVE = `SELECT FROM activations WHERE ${NUMBER} AND state IN (${ACTIVE})`
const RENTED = `SELECT FROM rentals WHERE ${NUMBER} AND state = 'active'`
const endedAfter = (table: 'activations' | 'rentals', since: string) =>
  `SELECT FROM ${table} WHERE ${NUMBER} AND ended_at > ${since}`

/** SQL: the simple part of the rule in choose-owner.ts that decides who gets a message. */
const ONLY_HOLDER = `${NUMBER}
        AND (SELECT count(*) FROM activations WHERE ${NUMBER} AND state IN (${ACTIVE})) = 1
        AND NOT EXISTS (${endedAfter('activations', '$heldSince')})
        AND NOT EXISTS (${RENTED}) AND NOT EXISTS (${endedAfter('rentals', '$heldSince')})
        AND $isCode::boolean AND ($namedBy::text IS NULL OR service_code = ANY ($namedServices::text[]))`
const UNHELD = `NOT EXISTS (${LIVE}) AND NOT EXISTS (${endedAfter('activations', '$lateSince')})
        AND NOT EXISTS (${RENTED}) AND NOT EXISTS (${endedAfter('rentals', '$lateSince')})`
const NOT_THE_SAME = `(NOT $byContent::boolean OR NOT EXISTS (SELECT FROM messages WHERE ${sameWordsSql('$since')}))`
const CODE = 'COALESCE($ownCodes::jsonb ->> service_code, $generalCode)'
const GIVEN = `CASE WHEN owner_id IS NULL THEN $nobodysGiven::text WHEN $namedBy::text IS NULL OR $namedBy::text = 'mention'
        THEN 'only-holder' ELSE 'named' END`

export type ToldActivation = ShownActivation & Told

export type PlainCodes = { general: string | null; own: Record<string, string> }

type PlainlyStored = { messageId: bigint; code: string | null; activation: ToldActivation | null }

/**
 * Stores a message in one round trip if one activation alone holds the number, or nobody has had it since `lateSince`.
 * Otherwise returns null and stores nothing. If `codes` (the message's possible codes) is null, the message is stored
 * only if nobody held the number. The same text after `since` is a repeat. An order that ended after `heldSince` still
 * counts as a holder.
 */
export async function storePlainly(
  db: Db,
  input: {
    message: NewMessage
    since: Date
    heldSince: Date
    lateSince: Date
    codes: PlainCodes | null
    nobody: { given: Given; code: string | null }
  },
): Promise<PlainlyStored | null> {
  const { message, codes, nobody, ...periods } = input
  const { rows } = await db.query<ToldActivation & { message_id: bigint; message_code: string | null }>({
    name: 'activation-store-sms-for-only-holder',
    queuesJobs: 'told',
    text: STORE_PLAINLY,
    values: {
      ...messageValues(message),
      ...periods,
      isCode: codes !== null,
      generalCode: codes?.general ?? null,
      ownCodes: JSON.stringify(codes?.own ?? {}),
      nobodysGiven: nobody.given,
      nobodysCode: nobody.code,
      now: message.storedAt,
    },
  })
  const row = rows[0]
  if (row === undefined) return null
  return { messageId: row.message_id, code: row.message_code, activation: row.id === null ? null : row }
}

type Giving = { activationId: bigint; code: string | null; given: string; isNotice: boolean }

/**
 * Stores a message for the activation. The first message that is not a notice captures the price and marks the number
 * as used for the service. Returns null and stores nothing if the activation has ended. A repeated message id violates
 * `messages_supplier_id_unique`.
 */
export async function storeSms(
  db: Db,
  { message, ...to }: Giving & { message: NewMessage },
): Promise<{ messageId: bigint; activation: ToldActivation } | null> {
  const { rows } = await db.query<ToldActivation & { message_id: bigint }>({
    name: 'activation-store-sms',
    queuesJobs: 'told',
    text: `WITH ${giveTo({ which: `id = $activationId AND ${STANDS}`, code: '$code::text', notice: true })}, stored AS (
      ${insertMessageSql({ source: 'hit', code: '$code::text', given: '$given::text', activation: 'hit.id' })}
      RETURNING id AS message_id
    ), ${codeTold('activation', `(SELECT message_id, hit.* FROM stored, hit WHERE money = 'captured')`)}
    SELECT *, ${TOLD} FROM stored, hit`,
    values: { ...messageValues(message), ...to, now: message.storedAt },
  })
  const [row] = rows
  return row === undefined ? null : { messageId: row.message_id, activation: row }
}

/** Gives a stored message to the activation. Returns null if the message is no longer in one of the states `from`. */
export async function giveSms(
  db: Db,
  input: Giving & { sender: string; naming: Naming; id: bigint; from: readonly string[]; now: Date },
): Promise<ToldActivation | null> {
  const { rows } = await db.query<ToldActivation>({
    name: 'activation-give-sms',
    queuesJobs: 'told',
    text: `WITH ${TAKE_STORED}, ${giveTo({
      which: `id = $activationId AND ${STANDS} AND EXISTS (SELECT FROM taken)`,
      code: '$code::text',
      notice: true,
    })}, moved AS (
      UPDATE messages SET activation_id = hit.id, rental_id = NULL, code = $code::text, given = $given::text FROM hit, taken
      WHERE messages.id = taken.id
    ), ${codeTold('activation', `(SELECT taken.id AS message_id, hit.* FROM taken, hit WHERE money = 'captured')`)}
    SELECT *, ${TOLD} FROM hit`,
    values: { ...input, ...namingValues(input.naming) },
  })
  return rows[0] ?? null
}

/**
 * Captures the price of a waiting activation and opens its closed notices (SMS without a code, hidden until payment).
 * Returns null if the activation is not waiting or has no notice. A race with a code or a cancel is decided by the lock
 * of the activation's row.
 */
export async function openNotices(
  db: Db,
  input: { id: number; userId: number; now: Date },
): Promise<ActivationRow | null> {
  const { rows } = await db.query<ActivationRow>({
    name: 'activation-open-notices',
    text: `WITH notices AS (SELECT id FROM messages WHERE activation_id = $id AND given = 'notice'), hit AS (
      UPDATE activations SET state = 'received', money = 'captured', sms_count = (SELECT count(*) FROM notices),
        outcome_at = COALESCE(outcome_at, $now)
      WHERE id = $id AND user_id = $userId AND state = 'waiting' AND EXISTS (SELECT FROM notices)
      RETURNING ${COLUMNS}
    ), ${captureHold('hit')}, ${burntBy('hit')}, ${receivedBy('hit')}, opened AS (
      UPDATE messages SET given = 'opened' FROM notices, hit WHERE messages.id = notices.id
    )
    SELECT * FROM hit`,
    values: input,
  })
  return rows[0] ?? null
}

/** SQL: true unless the message is a closed notice (text not paid for) and the activation has been paid for already. */
const STANDS = `($given::text <> 'notice' OR money = 'held')`
const NUMERIC = `'^[+]?[0-9]{3,20}$'`

/**
 * SQL: true if a new code replaces the present code, because the message names the service or comes from the same
 * sender. All numeric senders count as one sender, because numeric senders change and named senders do not (decision
 * 0013).
 */
const YIELDS = `code IS NULL OR state = 'waiting_again' OR service_code = ANY ($namedServices::text[]) OR EXISTS (
            SELECT FROM (SELECT sender, named_by FROM messages m
              WHERE m.activation_id = activations.id AND m.code = activations.code ORDER BY m.id DESC LIMIT 1) before
            WHERE before.sender = $sender::text OR (before.named_by IS NULL AND before.sender ~ ${NUMERIC} AND $sender::text ~ ${NUMERIC}))`

/**
 * SQL: the CTE `hit` updates the activation that the SQL `which` finds. With `notice`, `$isNotice` tells whether the
 * message is a notice, which captures no price.
 */
function giveTo({ which, code, notice = false }: { which: string; code: string; notice?: boolean }): string {
  const unless = (kept: string, set: string) =>
    notice ? `CASE WHEN $isNotice::boolean THEN ${kept} ELSE ${set} END` : set
  const more = notice ? `, notice_at = CASE WHEN $given::text = 'notice' THEN $now ELSE notice_at END` : ''
  const counted = notice ? `($given::text <> 'notice')::integer` : '1'
  return `hit AS (
      UPDATE activations
      SET state = ${unless('state', `'received'`)}, money = ${unless('money', `'captured'`)}, sms_count = sms_count + ${counted},
          code = CASE WHEN ${code} IS NOT NULL AND (${YIELDS}) THEN ${code} ELSE code END,
          first_code_at = ${unless('first_code_at', 'COALESCE(first_code_at, $now)')},
          outcome_at = ${unless('outcome_at', 'COALESCE(outcome_at, $now)')}${more}
      WHERE ${which} AND state IN (${ACTIVE})
      RETURNING ${SHOWN_COLUMNS}
    ), first AS (
      SELECT id, user_id, service_code, phone, price_micros, currency FROM hit WHERE sms_count = 1 AND money = 'captured'
    ), ${captureHold('first')}, ${burntBy('first')}, ${receivedBy(notice ? `hit WHERE NOT $isNotice::boolean` : 'hit')}`
}

const burntBy = (source: string) => `burnt AS (
      INSERT INTO burnt_numbers (phone, service_code) SELECT phone, service_code FROM ${source} ON CONFLICT DO NOTHING
    )`
const receivedBy = (source: string) => `received_event AS (
      INSERT INTO events (at, kind, user_id, subject_id) SELECT $now, 'activation.received', user_id, id FROM ${source}
    )`

const STORE_PLAINLY = `WITH ${giveTo({ which: `${ONLY_HOLDER} AND ${NOT_THE_SAME}`, code: CODE })}, stored AS (
    ${insertMessageSql({
      source: `(SELECT id AS owner_id, service_code FROM hit
        UNION ALL SELECT NULL::bigint, NULL::text WHERE NOT EXISTS (SELECT FROM hit) AND ${UNHELD} AND ${NOT_THE_SAME}) owner`,
      code: `CASE WHEN owner_id IS NULL THEN $nobodysCode::text ELSE ${CODE} END`,
      given: GIVEN,
      activation: 'owner_id',
    })}
    RETURNING id AS message_id, code AS message_code
  ), ${codeTold('activation', '(SELECT message_id, hit.* FROM stored, hit)')}
  SELECT *, ${TOLD} FROM stored LEFT JOIN hit ON true`
