import type { Given } from '#server/numbers/delivery/choose-owner.ts'
import { NAMING_VERSION, type Naming } from '#server/numbers/messages/naming.ts'

/** A message as it came, with what it was taken to name. */
export type NewMessage = {
  supplierId: number
  /** The supplier's own id of it. */
  messageId: string | null
  phone: string
  sender: string
  text: string
  receivedAt: Date
  naming: Naming
  /** The order its supplier ties it to. */
  reference: string | null
}

/** The same once it is stored. */
export type StoredMessage = Pick<NewMessage, 'phone' | 'sender' | 'text' | 'receivedAt' | 'naming' | 'reference'> & {
  id: bigint
}

/** $1 to $11 of every statement that stores a message. */
export function messageValues(message: NewMessage): unknown[] {
  const { naming } = message
  return [
    message.supplierId,
    message.phone,
    message.sender,
    message.text,
    message.messageId,
    message.receivedAt,
    wordOf(naming),
    'services' in naming ? naming.services : null,
    naming.kind === 'named' ? naming.family : null,
    NAMING_VERSION,
    message.reference,
  ]
}

/** How `named_by` says it: by what a service is named, `hint`, `mention`, `operator`, or null for nothing. */
function wordOf(naming: Naming): string | null {
  switch (naming.kind) {
    case 'named':
      return naming.by
    case 'hinted':
      return 'hint'
    case 'mentioned':
      return 'mention'
    case 'operator':
      return 'operator'
    case 'none':
      return null
    default:
      return naming satisfies never
  }
}

/** Inserts the message of `messageValues`, one for each row of `source`; the rest is SQL. */
export function insertMessageSql(from: {
  source: string
  code: string
  given: string
  activation?: string
  rental?: string
}): string {
  return `INSERT INTO messages (supplier_id, phone, sender, body, supplier_message_id, received_at, named_by, named_services,
        named_family, naming_version, reference, code, given, activation_id, rental_id)
      SELECT $1::integer, $2::text, $3::text, $4::text, $5::text, $6::timestamptz, $7::text, $8::text[], $9::text, $10::smallint,
        $11::text, ${from.code}, ${from.given}, ${from.activation ?? 'NULL::bigint'}, ${from.rental ?? 'NULL::bigint'}
      FROM ${from.source}`
}

/** The same words from the same sender to the same number came after `since`, which is SQL. */
export const sameWordsSql = (since: string) =>
  `phone = $2 AND received_at > ${since} AND supplier_id = $1 AND sender = $3 AND body = $4`

/**
 * Takes a message that is stored already, if it still stands as `from` says: the CTE `taken`. Whoever comes second finds
 * none, so that it is given once.
 */
export const takeStoredSql = (id: string, from: string) =>
  `taken AS (SELECT id FROM messages WHERE id = ${id} AND given = ANY (${from}::text[]) FOR UPDATE)`

/** The columns of a StoredRow. */
export const STORED_COLUMNS =
  'id, phone, sender, body, received_at, named_by, named_services, named_family, reference, given'

export type StoredRow = {
  id: bigint
  phone: string
  sender: string
  body: string | null
  received_at: Date
  named_by: string | null
  named_services: string[] | null
  named_family: string | null
  reference: string | null
  given: Given
}

/** What a stored message names is what it was taken to name: a rule that has changed since does not judge it anew. */
export function toStoredMessage(row: StoredRow): StoredMessage {
  const { id, phone, sender, body, received_at: receivedAt, reference } = row
  return { id, phone, sender, text: body ?? '', receivedAt, reference, naming: toNaming(row) }
}

function toNaming(row: StoredRow): Naming {
  const services = row.named_services ?? []
  switch (row.named_by) {
    case null:
      return { kind: 'none' }
    case 'mention':
      return { kind: 'mentioned', services }
    case 'operator':
      return { kind: 'operator' }
    case 'hint':
      return { kind: 'hinted', services }
    case 'hash':
    case 'domain':
    case 'text':
    case 'sender':
      return { kind: 'named', by: row.named_by, services, family: row.named_family ?? '' }
    default:
      throw new Error(`message ${row.id} is named by ${row.named_by}`)
  }
}
