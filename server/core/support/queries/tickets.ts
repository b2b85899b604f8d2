import type { SupportCategory, TicketState } from '#contract/support/support-constants.ts'
import { DAY } from '#contract/time.ts'
import type { Db } from '#server/house/db/pool.ts'
import { type TicketRow, ticketColumns } from './row.ts'

/** Locks the user, so that limits count earlier inserts. Money transfers and foreign keys do not wait for this lock. */
export async function lockMember(tx: Db, userId: number): Promise<{ isBlocked: boolean }> {
  const { rows } = await tx.query<{ blocked: boolean }>({
    name: 'support-lock-member',
    text: 'SELECT blocked_at IS NOT NULL AS blocked FROM users WHERE id = $1 FOR NO KEY UPDATE',
    values: [userId],
  })
  return { isBlocked: rows[0]?.blocked ?? true }
}

export type NewTicketRow = {
  userId: number
  category: SupportCategory
  subject: string
  activationId: bigint | null
  rentalId: bigint | null
  paymentId: bigint | null
  idempotencyKey: string | null
  inputHash: string | null
  openLimit: number
  dayLimit: number
  now: Date
}

/** Stores a ticket. Returns null if the user has too many open tickets or too many today. The user must be locked. */
export async function insertTicket(tx: Db, input: NewTicketRow): Promise<TicketRow | null> {
  const { rows } = await tx.query<TicketRow>({
    name: 'support-ticket-insert',
    text: `INSERT INTO support_tickets AS t (user_id, category, subject, activation_id, rental_id, payment_id, state, waits_since,
        unread_staff, messages_count, idempotency_key, input_hash, created_at, changed_at)
      SELECT $userId, $category, $subject, $activationId, $rentalId, $paymentId, 'open', $now, 1, 1, $idempotencyKey, $inputHash, $now, $now
      WHERE (SELECT count(*) FROM support_tickets WHERE user_id = $userId AND state <> 'closed') < $openLimit
        AND (SELECT count(*) FROM support_tickets WHERE user_id = $userId AND created_at > $since) < $dayLimit
      RETURNING ${ticketColumns('t')}`,
    values: { ...input, since: new Date(input.now.getTime() - DAY) },
  })
  return rows[0] ?? null
}

export async function findTicketByKey(
  db: Db,
  input: { userId: number; key: string },
): Promise<(TicketRow & { input_hash: string | null }) | null> {
  const { rows } = await db.query<TicketRow & { input_hash: string | null }>({
    name: 'support-ticket-by-key',
    text: `SELECT ${ticketColumns('t')}, t.input_hash FROM support_tickets t WHERE user_id = $1 AND idempotency_key = $2`,
    values: [input.userId, input.key],
  })
  return rows[0] ?? null
}

export async function findTicket(db: Db, input: { id: bigint; userId: number }): Promise<TicketRow | null> {
  const { rows } = await db.query<TicketRow>({
    name: 'support-ticket-find',
    text: `SELECT ${ticketColumns('t')} FROM support_tickets t WHERE id = $1 AND user_id = $2`,
    values: [input.id, input.userId],
  })
  return rows[0] ?? null
}

/** Locks a ticket; a null `userId` stands for staff, who may lock any ticket. */
export async function lockTicket(tx: Db, input: { id: bigint; userId: number | null }): Promise<TicketRow | null> {
  const { rows } = await tx.query<TicketRow>({
    name: 'support-ticket-lock',
    text: `SELECT ${ticketColumns('t')} FROM support_tickets t
      WHERE id = $1 AND ($2::integer IS NULL OR user_id = $2) FOR NO KEY UPDATE`,
    values: [input.id, input.userId],
  })
  return rows[0] ?? null
}

export async function countOpen(db: Db, userId: number): Promise<number> {
  const { rows } = await db.query<{ count: bigint }>({
    name: 'support-ticket-count-open',
    text: `SELECT count(*) FROM support_tickets WHERE user_id = $1 AND state <> 'closed'`,
    values: [userId],
  })
  return Number(rows[0]?.count ?? 0n)
}

export async function setClosed(db: Db, input: { id: bigint; userId: number; now: Date }): Promise<TicketRow | null> {
  const { rows } = await db.query<TicketRow>({
    name: 'support-ticket-close',
    text: `UPDATE support_tickets t SET state = 'closed', waits_since = NULL, closed_at = $now, changed_at = $now
      WHERE id = $id AND user_id = $userId AND state <> 'closed' RETURNING ${ticketColumns('t')}`,
    values: input,
  })
  return rows[0] ?? null
}

/**
 * Marks answers up to the message `through` as read; the unread count never grows. The ticket must be locked, so that
 * concurrent answers are counted.
 */
export async function setRead(tx: Db, input: { id: bigint; through: bigint }): Promise<TicketRow | null> {
  const { rows } = await tx.query<TicketRow>({
    name: 'support-ticket-read',
    text: `UPDATE support_tickets t SET unread_member = LEAST(unread_member, (SELECT count(*) FROM support_messages m
        WHERE m.ticket_id = t.id AND m.kind = 'staff' AND m.id > $2))
      WHERE id = $1 RETURNING ${ticketColumns('t')}`,
    values: [input.id, input.through],
  })
  return rows[0] ?? null
}

export type TicketsWanted = { userId: number; search: string | null; exactId: bigint | null; state: TicketState | null }

/** SQL: true if ticket `t` matches the filter. Uses MESSAGES_SEARCHED as `$searched`; notes are never searched. */
const FITS = `t.user_id = $userId AND ($state::text IS NULL OR t.state = $state)
    AND ($search::text IS NULL OR t.subject ILIKE $search OR t.id = $exactId OR t.id IN (
      SELECT m.ticket_id FROM (
        SELECT s.id FROM support_messages s JOIN support_tickets own ON own.id = s.ticket_id
        WHERE own.user_id = $userId AND s.kind <> 'note' ORDER BY s.id DESC LIMIT $searched
      ) latest JOIN support_messages m USING (id) WHERE m.body ILIKE $search))`

/**
 * Lists a page of tickets, searching the messages only once. `total` counts the tickets that fit the filter, `unread`
 * all of the user's tickets with unread answers.
 */
export async function listTickets(
  db: Db,
  input: TicketsWanted & { searched: number; offset: number; limit: number },
): Promise<{ page: TicketRow[]; total: number; unread: number }> {
  const { rows } = await db.query<(TicketRow | { id: null }) & { total: bigint; unread: bigint }>({
    name: 'support-tickets-list',
    text: `WITH fitting AS MATERIALIZED (SELECT t.id FROM support_tickets t WHERE ${FITS}),
      page AS (SELECT ${ticketColumns('t')} FROM support_tickets t JOIN fitting USING (id)
        ORDER BY t.changed_at DESC, t.id DESC OFFSET $offset LIMIT $limit)
      SELECT counted.total, counted.unread, page.* FROM (SELECT (SELECT count(*) FROM fitting) AS total,
          (SELECT count(*) FROM support_tickets WHERE user_id = $userId AND unread_member > 0) AS unread) counted
        LEFT JOIN page ON true ORDER BY page.changed_at DESC, page.id DESC`,
    values: input,
  })
  const [first] = rows
  return {
    page: rows.flatMap((row) => (row.id === null ? [] : [row])),
    total: Number(first?.total ?? 0n),
    unread: Number(first?.unread ?? 0n),
  }
}

const SEARCH_LIMIT_MS = 1_000

/** Limits the time of each statement in this transaction; PostgreSQL aborts slower ones. */
export async function limitSearch(tx: Db): Promise<void> {
  await tx.query({ text: `SELECT set_config('statement_timeout', $1, true)`, values: [String(SEARCH_LIMIT_MS)] })
}
