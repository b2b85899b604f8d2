import { NAMING_VERSION, type Naming } from '#server/core/numbers/messages/naming.ts'
import type { Reading } from '#server/core/numbers/messages/reading.ts'
import type { NamedValues } from '#server/house/db/named-values.ts'
import type { Given } from '../choose-owner.ts'

export type NewMessage = {
  supplierId: number
  messageId: string | null
  /** True if repeated messages are recognised by text, because the message has no id or a repeat has a new id. */
  byContent: boolean
  phone: string
  sender: string
  text: string
  receivedAt: Date
  /** The time of storing, which is later than `receivedAt` for a message that was delayed on its way. */
  storedAt: Date
  reading: Reading
  /** The supplier's reference of the order that the message belongs to. */
  reference: string | null
  toldCode: string | null
}

export type StoredMessage = Pick<NewMessage, 'phone' | 'sender' | 'text' | 'receivedAt' | 'reference'> & {
  id: bigint
  naming: Naming
  /** The code that the supplier told, for an unmatched message with an order reference. */
  code: string | null
}

export function messageValues(message: NewMessage): NamedValues {
  return { ...message, ...namingValues(message.reading.naming) }
}

export function namingValues(naming: Naming): NamedValues {
  return {
    namedBy: wordOf(naming),
    namedServices: 'services' in naming ? naming.services : null,
    namedFamily: naming.kind === 'named' ? naming.family : null,
    namingVersion: NAMING_VERSION,
  }
}

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

/** SQL: inserts one message for each row of `source`. The other arguments are SQL expressions. */
export function insertMessageSql(from: {
  source: string
  code: string
  given: string
  activation?: string
  rental?: string
  withheld?: string
}): string {
  const [column, value] = from.withheld === undefined ? ['', ''] : [', withheld', `, ${from.withheld}`]
  return `INSERT INTO messages (supplier_id, phone, sender, body, supplier_message_id, received_at, named_by, named_services,
        named_family, naming_version, reference, code, given, activation_id, rental_id${column})
      SELECT $supplierId::integer, $phone::text, $sender::text, $text::text, $messageId::text, $receivedAt::timestamptz, $namedBy::text, $namedServices::text[], $namedFamily::text, $namingVersion::smallint,
        $reference::text, ${from.code}, ${from.given}, ${from.activation ?? 'NULL::bigint'}, ${from.rental ?? 'NULL::bigint'}${value}
      FROM ${from.source}`
}

export const sameWordsSql = (since: string) =>
  `phone = $phone AND received_at > ${since} AND supplier_id = $supplierId AND sender = $sender AND body = $text`

/** SQL: the CTE `taken` locks a stored message whose `given` is still in `$from`, so it is given only once. */
export const TAKE_STORED =
  'taken AS (SELECT id FROM messages WHERE id = $id AND given = ANY ($from::text[]) FOR UPDATE)'

export const STORED_COLUMNS =
  'id, phone, sender, body, received_at, named_by, named_services, named_family, reference, code, given'

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
  code: string | null
  given: Given
}

/**
 * Converts a row to a message. The services that its text names stay those found on arrival, even if the rules have
 * changed.
 */
export function toStoredMessage(row: StoredRow): StoredMessage {
  const { id, phone, sender, body, received_at: receivedAt, reference, code } = row
  return { id, phone, sender, text: body ?? '', receivedAt, reference, code, naming: toNaming(row) }
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
