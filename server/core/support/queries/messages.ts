import { TICKET_MAX_BYTES, TICKET_MAX_FILES } from '#contract/support/support-constants.ts'
import { DAY, MINUTE } from '#contract/time.ts'
import type { Db } from '#server/house/db/pool.ts'
import { MESSAGE_COLUMNS, type MessageKind, type MessageRow, type TicketRow, ticketColumns } from './row.ts'

export type NewMessageRow = {
  ticketId: bigint
  authorId: number
  kind: MessageKind
  body: string
  idempotencyKey: string | null
  inputHash: string | null
  minuteLimit: number
  dayLimit: number
  now: Date
}

/** Stores a message. Returns null if the author has sent too many in a minute or a day. The author must be locked. */
export async function insertMessage(tx: Db, input: NewMessageRow): Promise<MessageRow | null> {
  const since = (ms: number) => new Date(input.now.getTime() - ms)
  const { rows } = await tx.query<MessageRow>({
    name: 'support-message-insert',
    text: `INSERT INTO support_messages (ticket_id, author_id, kind, body, idempotency_key, input_hash, created_at)
      SELECT $ticketId, $authorId, $kind, $body, $idempotencyKey, $inputHash, $now
      WHERE (SELECT count(*) FROM support_messages WHERE author_id = $authorId AND created_at > $minuteAgo) < $minuteLimit
        AND (SELECT count(*) FROM support_messages WHERE author_id = $authorId AND created_at > $dayAgo) < $dayLimit
      RETURNING ${MESSAGE_COLUMNS}`,
    values: { ...input, minuteAgo: since(MINUTE), dayAgo: since(DAY) },
  })
  return rows[0] ?? null
}

export async function findMessageByKey(db: Db, input: { authorId: number; key: string }): Promise<MessageRow | null> {
  const { rows } = await db.query<MessageRow>({
    name: 'support-message-by-key',
    text: `SELECT ${MESSAGE_COLUMNS} FROM support_messages WHERE author_id = $1 AND idempotency_key = $2`,
    values: [input.authorId, input.key],
  })
  return rows[0] ?? null
}

/**
 * Marks the ticket as waiting for staff. A ticket that waits already keeps the start of its wait. The ticket must be
 * locked.
 */
export async function noteAsked(tx: Db, input: { id: bigint; now: Date }): Promise<void> {
  await tx.query({
    name: 'support-ticket-asked',
    text: `UPDATE support_tickets SET state = 'open', waits_since = COALESCE(waits_since, $2), closed_at = NULL,
        unread_staff = unread_staff + 1, messages_count = messages_count + 1, changed_at = $2 WHERE id = $1`,
    values: [input.id, input.now],
  })
}

/** Records an answer of staff, who have therefore read the ticket. The ticket must be locked. */
export async function noteAnswered(tx: Db, input: { id: bigint; staffId: number; now: Date }): Promise<TicketRow> {
  const { rows } = await tx.query<TicketRow>({
    name: 'support-ticket-answered',
    text: `UPDATE support_tickets t SET state = 'answered', waits_since = NULL, closed_at = NULL, answered_by = $2,
        unread_staff = 0, unread_member = unread_member + 1, messages_count = messages_count + 1, changed_at = $3
      WHERE id = $1 RETURNING ${ticketColumns('t')}`,
    values: [input.id, input.staffId, input.now],
  })
  const row = rows[0]
  if (row === undefined) throw new Error('the locked ticket is gone')
  return row
}

/**
 * Adds files to a message. Returns `missing` if one is attached or not the user's, `full` if the ticket has too many.
 */
export async function attachFiles(
  tx: Db,
  input: { ticketId: bigint; messageId: bigint; userId: number; files: number[] },
): Promise<'attached' | 'missing' | 'full'> {
  const files = [...new Set(input.files)]
  if (files.length === 0) return 'attached'
  const { rows } = await tx.query<{ taken: bigint; attached: boolean }>({
    name: 'support-files-attach',
    text: `WITH taken AS (
      UPDATE support_files SET message_id = $messageId
      WHERE id = ANY ($files::bigint[]) AND user_id = $userId AND message_id IS NULL RETURNING bytes
    ), counted AS (
      SELECT count(*) AS files, COALESCE(sum(bytes), 0) AS bytes FROM taken
    ), ticket AS (
      UPDATE support_tickets SET files_count = files_count + counted.files, files_bytes = files_bytes + counted.bytes
      FROM counted WHERE id = $ticketId AND files_count + counted.files <= $maxFiles AND files_bytes + counted.bytes <= $maxBytes
      RETURNING id
    )
    SELECT files AS taken, EXISTS (SELECT FROM ticket) AS attached FROM counted`,
    values: { ...input, files, maxFiles: TICKET_MAX_FILES, maxBytes: TICKET_MAX_BYTES },
  })
  if (Number(rows[0]?.taken ?? 0n) < files.length) return 'missing'
  return rows[0]?.attached === true ? 'attached' : 'full'
}

export async function listMessages(
  db: Db,
  input: { ticketId: bigint; before: bigint | null; limit: number },
): Promise<MessageRow[]> {
  const { rows } = await db.query<MessageRow>({
    name: 'support-messages-list',
    text: `SELECT ${MESSAGE_COLUMNS} FROM support_messages
      WHERE ticket_id = $1 AND kind <> 'note' AND ($2::bigint IS NULL OR id < $2) ORDER BY id DESC LIMIT $3`,
    values: [input.ticketId, input.before, input.limit],
  })
  return rows
}
