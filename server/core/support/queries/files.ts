import { DAY_MAX_BYTES, type FileType } from '#contract/support/support-constants.ts'
import { DAY } from '#contract/time.ts'
import type { Db } from '#server/house/db/pool.ts'
import { FILE_COLUMNS, type FileRow } from './row.ts'

export type NewFile = {
  userId: number
  name: string
  type: FileType
  width: number | null
  height: number | null
  content: Buffer
  receivedBytes: number
  now: Date
}

/** Stores a file. Returns null if the user has uploaded too much in a day. The user must be locked. */
export async function insertFile(tx: Db, input: NewFile): Promise<FileRow | null> {
  const { rows } = await tx.query<FileRow>({
    name: 'support-file-insert',
    text: `INSERT INTO support_files (user_id, name, type, width, height, content, bytes, received_bytes, created_at)
      SELECT $userId, $name, $type, $width, $height, $content, $bytes, $receivedBytes::integer, $now
      WHERE (SELECT COALESCE(sum(received_bytes), 0) FROM support_files WHERE user_id = $userId AND created_at > $since) + $receivedBytes::integer
        <= $dayBytes
      RETURNING ${FILE_COLUMNS}`,
    values: {
      ...input,
      bytes: input.content.length,
      since: new Date(input.now.getTime() - DAY),
      dayBytes: DAY_MAX_BYTES,
    },
  })
  return rows[0] ?? null
}

export async function listFilesOf(db: Db, messageIds: bigint[]): Promise<FileRow[]> {
  if (messageIds.length === 0) return []
  const { rows } = await db.query<FileRow>({
    name: 'support-files-of',
    text: `SELECT ${FILE_COLUMNS} FROM support_files WHERE message_id = ANY ($1::bigint[]) ORDER BY id`,
    values: [messageIds],
  })
  return rows
}

export type FileContent = Pick<FileRow, 'name' | 'type'> & { content: Buffer }

/** Returns a file that the user uploaded, or one in a message (but not in a note) of the user's ticket. */
export async function findFileOfMember(db: Db, input: { id: bigint; userId: number }): Promise<FileContent | null> {
  const { rows } = await db.query<FileContent>({
    name: 'support-file-of-member',
    text: `SELECT f.name, f.type, f.content FROM support_files f
      WHERE f.id = $1 AND (f.user_id = $2 OR EXISTS (SELECT FROM support_messages m JOIN support_tickets t ON t.id = m.ticket_id
        WHERE m.id = f.message_id AND m.kind <> 'note' AND t.user_id = $2))`,
    values: [input.id, input.userId],
  })
  return rows[0] ?? null
}
