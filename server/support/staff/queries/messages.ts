import type { Db } from '#server/db/pool.ts'
import type { FileContent } from '#server/support/queries/files.ts'
import { MESSAGE_COLUMNS, type MessageRow } from '#server/support/queries/row.ts'

export type StaffMessageRow = MessageRow & { author: string }

const WITH_AUTHOR = `${MESSAGE_COLUMNS.replaceAll(/(\w+)/g, 'm.$1')}, COALESCE(NULLIF(u.name, ''), u.email, '#' || u.id) AS author
  FROM support_messages m JOIN users u ON u.id = m.author_id`

/** Newest first, notes included. */
export async function listAllMessages(
  db: Db,
  input: { ticketId: bigint; before: number | null; limit: number },
): Promise<StaffMessageRow[]> {
  const { rows } = await db.query<StaffMessageRow>({
    name: 'staff-messages-list',
    text: `SELECT ${WITH_AUTHOR} WHERE m.ticket_id = $1 AND ($2::bigint IS NULL OR m.id < $2) ORDER BY m.id DESC LIMIT $3`,
    values: [input.ticketId, input.before, input.limit],
  })
  return rows
}

export async function findMessage(db: Db, id: bigint): Promise<StaffMessageRow | null> {
  const { rows } = await db.query<StaffMessageRow>({
    name: 'staff-message-find',
    text: `SELECT ${WITH_AUTHOR} WHERE m.id = $1`,
    values: [id],
  })
  return rows[0] ?? null
}

/** The name of a colleague who answered after the message `seen`, or null. */
export async function findAnswerer(
  tx: Db,
  input: { ticketId: bigint; seen: number; staffId: number },
): Promise<string | null> {
  const { rows } = await tx.query<StaffMessageRow>({
    name: 'staff-answerer',
    text: `SELECT ${WITH_AUTHOR} WHERE m.ticket_id = $1 AND m.id > $2 AND m.kind = 'staff' AND m.author_id <> $3 LIMIT 1`,
    values: [input.ticketId, input.seen, input.staffId],
  })
  return rows[0]?.author ?? null
}

/** One of any ticket; what no message has yet is its sender's alone. */
export async function findFileOfTicket(db: Db, id: bigint): Promise<FileContent | null> {
  const { rows } = await db.query<FileContent>({
    name: 'staff-file-find',
    text: 'SELECT name, type, content FROM support_files WHERE id = $1 AND message_id IS NOT NULL',
    values: [id],
  })
  return rows[0] ?? null
}
