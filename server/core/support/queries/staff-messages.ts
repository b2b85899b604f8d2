import type { FileContent } from '#server/core/support/queries/files.ts'
import { MESSAGE_COLUMNS, type MessageRow } from '#server/core/support/queries/row.ts'
import type { Db } from '#server/house/db/pool.ts'

export type StaffMessageRow = MessageRow & { author: string }

const WITH_AUTHOR = `${MESSAGE_COLUMNS.replaceAll(/(\w+)/g, 'm.$1')}, COALESCE(NULLIF(u.name, ''), u.email, '#' || u.id) AS author
  FROM support_messages m JOIN users u ON u.id = m.author_id`

/** SQL: hides a note from the staff member whose own ticket it is (`$readerId`). */
const MAY_READ = `(m.kind <> 'note' OR NOT EXISTS (SELECT FROM support_tickets own WHERE own.id = m.ticket_id
    AND own.user_id = $readerId::integer))`

export async function listAllMessages(
  db: Db,
  input: { ticketId: bigint; readerId: number; before: number | null; limit: number },
): Promise<StaffMessageRow[]> {
  const { rows } = await db.query<StaffMessageRow>({
    name: 'staff-messages-list',
    text: `SELECT ${WITH_AUTHOR} WHERE m.ticket_id = $ticketId AND ($before::bigint IS NULL OR m.id < $before) AND ${MAY_READ}
      ORDER BY m.id DESC LIMIT $limit`,
    values: input,
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

/** Returns a file of a message that this reader may see, or an unattached file to its uploader alone. */
export async function findFileOfTicket(db: Db, input: { id: bigint; readerId: number }): Promise<FileContent | null> {
  const { rows } = await db.query<FileContent>({
    name: 'staff-file-find',
    text: `SELECT f.name, f.type, f.content FROM support_files f JOIN support_messages m ON m.id = f.message_id
      WHERE f.id = $id AND ${MAY_READ}`,
    values: input,
  })
  return rows[0] ?? null
}
