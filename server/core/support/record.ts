import type { SupportFile, SupportMessage, TicketRecord } from '#contract/support/support.ts'
import { renderMessage } from './markdown/render-message.ts'
import type { FileRow, MessageRow, TicketRow } from './queries/row.ts'

export function toTicketRecord(row: TicketRow): TicketRecord {
  return {
    id: Number(row.id),
    category: row.category,
    subject: row.subject,
    state: row.state,
    unread: row.unread_member,
    messages_count: row.messages_count,
    created_at: row.created_at.toISOString(),
    changed_at: row.changed_at.toISOString(),
  }
}

export function toMessageRecord(row: MessageRow, files: FileRow[]): SupportMessage {
  return {
    id: Number(row.id),
    author: authorOf(row),
    text: row.body,
    html: renderMessage(row.body),
    files: files.map(toFileRecord),
    created_at: row.created_at.toISOString(),
  }
}

/** Returns the author shown to users. Throws for a note, because users never see one. */
export function authorOf(row: Pick<MessageRow, 'kind'>): SupportMessage['author'] {
  switch (row.kind) {
    case 'member':
      return 'user'
    case 'staff':
      return 'support'
    case 'note':
      throw new Error('a note is not for members')
    default:
      return row.kind satisfies never
  }
}

export function toFileRecord(row: FileRow): SupportFile {
  return {
    id: Number(row.id),
    name: row.name,
    type: row.type,
    bytes: row.bytes,
    width: row.width,
    height: row.height,
  }
}
