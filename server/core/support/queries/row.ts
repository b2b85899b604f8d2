import type { FileType, SupportCategory, TicketState } from '#contract/support/support-constants.ts'

export type TicketRow = {
  id: bigint
  user_id: number
  category: SupportCategory
  subject: string
  activation_id: bigint | null
  rental_id: bigint | null
  payment_id: bigint | null
  state: TicketState
  waits_since: Date | null
  answered_by: number | null
  unread_member: number
  unread_staff: number
  messages_count: number
  created_at: Date
  changed_at: Date
}

/** Returns the ticket columns with the table's name, because a CTE may have equal column names. */
export function ticketColumns(table: string): string {
  return TICKET_COLUMNS.map((name) => `${table}.${name}`).join(', ')
}

const TICKET_COLUMNS = [
  'id',
  'user_id',
  'category',
  'subject',
  'activation_id',
  'rental_id',
  'payment_id',
  'state',
  'waits_since',
  'answered_by',
  'unread_member',
  'unread_staff',
  'messages_count',
  'created_at',
  'changed_at',
] as const satisfies (keyof TicketRow)[]

export type MessageKind = 'member' | 'staff' | 'note'

export type MessageRow = {
  id: bigint
  ticket_id: bigint
  author_id: number
  kind: MessageKind
  body: string
  input_hash: string | null
  created_at: Date
}

export const MESSAGE_COLUMNS = 'id, ticket_id, author_id, kind, body, input_hash, created_at'

export type FileRow = {
  id: bigint
  message_id: bigint | null
  name: string
  type: FileType
  bytes: number
  width: number | null
  height: number | null
}

export const FILE_COLUMNS = 'id, message_id, name, type, bytes, width, height'
