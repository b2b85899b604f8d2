import type { Claim, Given } from '#server/core/numbers/ownership/choose-owner.ts'
import {
  insertMessageSql,
  messageValues,
  type NewMessage,
  sameWordsSql,
  TAKE_STORED,
} from '#server/core/numbers/ownership/queries/message-row.ts'
import type { Db } from '#server/house/db/pool.ts'

/** SQL: true if all money of the ended order was returned to the buyer (decision 0011). */
const MONEY_WENT_BACK = `(EXISTS (SELECT FROM activations a WHERE a.id = $activationId::bigint AND (a.money = 'released'
        OR EXISTS (SELECT FROM transfers t WHERE t.activation_id = a.id AND t.kind = 'refund')))
      OR $rentalId::bigint IS NOT NULL AND NOT EXISTS (SELECT FROM charges c WHERE c.rental_id = $rentalId::bigint
        AND c.money = 'captured' AND NOT EXISTS (SELECT FROM transfers t WHERE t.charge_id = c.id AND t.kind = 'refund')))`

export type Span = { from: Date; to: Date }

/**
 * Returns the arrival time of the newest message with the same text, or null. Only messages that came after `since` or
 * within `span` count.
 */
export async function findSameSms(
  db: Db,
  input: { message: NewMessage; since: Date; span: Span | null },
): Promise<Date | null> {
  const { message, since, span } = input
  const { rows } = await db.query<{ received_at: Date }>({
    name: 'message-find-same',
    text: `SELECT received_at FROM messages
      WHERE ${sameWordsSql('LEAST($since, $spanFrom::timestamptz)')} AND (received_at > $since OR (received_at > $spanFrom AND received_at <= $spanTo))
      ORDER BY received_at DESC LIMIT 1`,
    values: { ...message, since, spanFrom: span?.from ?? null, spanTo: span?.to ?? null },
  })
  return rows[0]?.received_at ?? null
}

export async function findStored(db: Db, message: NewMessage): Promise<bigint | null> {
  const { rows } = await db.query<{ id: bigint }>({
    name: message.byContent ? 'message-find-stored-words' : 'message-find-stored',
    text: message.byContent
      ? `SELECT id FROM messages WHERE ${sameWordsSql(`'-infinity'::timestamptz`)} ORDER BY received_at DESC LIMIT 1`
      : 'SELECT id FROM messages WHERE supplier_id = $supplierId AND supplier_message_id = $messageId',
    values: message,
  })
  return rows[0]?.id ?? null
}

/** Returns true if the stored message with the same id has another text, and false once texts are deleted. */
export async function isReused(db: Db, message: NewMessage): Promise<boolean> {
  const { rows } = await db.query<{ reused: boolean }>({
    name: 'message-is-reused',
    text: `SELECT body IS NOT NULL AND (phone, sender, body) IS DISTINCT FROM ($phone::text, $sender::text, $text::text) AS reused
      FROM messages WHERE supplier_id = $supplierId AND supplier_message_id = $messageId`,
    values: message,
  })
  return rows[0]?.reused ?? false
}

/** Returns true if `most` messages without a code have come to an order since the time `since`. */
export async function isFlooded(db: Db, input: { to: Claim; since: Date; most: number }): Promise<boolean> {
  const { to, since, most } = input
  const { rows } = await db.query<{ flooded: boolean }>({
    name: `message-is-flooded-${to.kind}`,
    text: `SELECT count(*) = $most AND min(received_at) > $since AS flooded FROM (SELECT received_at FROM messages
        WHERE ${to.kind}_id = $id AND code IS NULL ORDER BY id DESC LIMIT $most) newest`,
    values: { id: to.id, since, most },
  })
  return rows[0]?.flooded ?? false
}

/** Stores a message that charges nobody. A repeated message id violates `messages_supplier_id_unique`. */
export async function storeAside(
  db: Db,
  {
    message,
    to,
    ...shown
  }: {
    message: NewMessage
    given: Given
    to: Claim | null
    code: string | null
  },
): Promise<bigint> {
  const { rows } = await db.query<{ id: bigint }>({
    name: 'message-store-aside',
    text: `${insertMessageSql({
      source: '(VALUES (0)) one (row)',
      code: '$code',
      given: '$given::text',
      activation: '$activationId::bigint',
      rental: '$rentalId::bigint',
      withheld: `$given::text = 'late' AND ${MONEY_WENT_BACK}`,
    })} RETURNING id`,
    values: { ...messageValues(message), ...shown, ...ownerIds(to) },
  })
  const [row] = rows
  if (row === undefined) throw new Error('storing a message returned nothing')
  return row.id
}

export async function keepLate(db: Db, input: { id: bigint; to: Claim; code: string | null }): Promise<boolean> {
  const { rowCount } = await db.query({
    name: 'message-keep-late',
    text: `WITH ${TAKE_STORED}
      UPDATE messages SET given = 'late', code = $code, activation_id = $activationId, rental_id = $rentalId,
        withheld = ${MONEY_WENT_BACK}
      FROM taken WHERE messages.id = taken.id`,
    values: { id: input.id, from: ['unmatched'], code: input.code, ...ownerIds(input.to) },
  })
  return rowCount > 0
}

function ownerIds(to: Claim | null): { activationId: bigint | null; rentalId: bigint | null } {
  return { activationId: to?.kind === 'activation' ? to.id : null, rentalId: to?.kind === 'rental' ? to.id : null }
}
