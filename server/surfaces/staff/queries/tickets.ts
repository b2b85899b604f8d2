import type { SupportCategory, TicketState } from '#contract/support/support-constants.ts'
import type { Db } from '#server/house/db/pool.ts'

export type StaffTicketRow = {
  id: bigint
  user_id: number
  name: string
  email: string | null
  category: SupportCategory
  subject: string
  activation_id: bigint | null
  rental_id: bigint | null
  payment_id: bigint | null
  state: TicketState
  waits_since: Date | null
  unread_staff: number
  messages_count: number
  taken_by: number | null
  taker: string | null
  created_at: Date
  changed_at: Date
}

export const STAFF_TICKET_COLUMNS = `t.id, t.user_id, u.name, u.email, t.category, t.subject, t.activation_id, t.rental_id, t.payment_id, t.state,
  t.waits_since, t.unread_staff, t.messages_count, t.taken_by, COALESCE(NULLIF(s.name, ''), s.email) AS taker,
  t.created_at, t.changed_at`
export const STAFF_TICKETS = 'support_tickets t JOIN users u ON u.id = t.user_id LEFT JOIN users s ON s.id = t.taken_by'

export async function findStaffTicket(db: Db, id: number): Promise<StaffTicketRow | null> {
  const { rows } = await db.query<StaffTicketRow>({
    name: 'staff-ticket-find',
    text: `SELECT ${STAFF_TICKET_COLUMNS} FROM ${STAFF_TICKETS} WHERE t.id = $1`,
    values: [id],
  })
  return rows[0] ?? null
}

/**
 * Assigns a ticket to a member of staff. Returns false if a colleague other than `from` has the ticket. `from` had it
 * when the page was loaded.
 */
export async function setTaken(
  db: Db,
  input: { id: number; staffId: number; from: number | null; now: Date },
): Promise<boolean> {
  const { rowCount } = await db.query({
    text: `UPDATE support_tickets SET taken_by = $staffId, taken_at = $now
      WHERE id = $id AND (taken_by IS NULL OR taken_by = $staffId OR taken_by = $from)`,
    values: input,
  })
  return rowCount === 1
}

export async function takeIfFree(db: Db, input: { id: number; staffId: number; now: Date }): Promise<void> {
  await db.query({
    text: 'UPDATE support_tickets SET taken_by = $2, taken_at = $3 WHERE id = $1 AND taken_by IS NULL',
    values: [input.id, input.staffId, input.now],
  })
}

/** Takes a ticket away from the calling member of staff. Returns false if somebody else or nobody has the ticket. */
export async function setReleased(db: Db, input: { id: number; staffId: number }): Promise<boolean> {
  const { rowCount } = await db.query({
    text: 'UPDATE support_tickets SET taken_by = NULL, taken_at = NULL WHERE id = $1 AND taken_by = $2',
    values: [input.id, input.staffId],
  })
  return rowCount === 1
}

/** Closes a ticket. Returns false if the ticket is already closed. */
export async function setClosedByStaff(db: Db, input: { id: number; now: Date }): Promise<boolean> {
  const { rowCount } = await db.query({
    text: `UPDATE support_tickets SET state = 'closed', waits_since = NULL, closed_at = $2, changed_at = $2, unread_staff = 0
      WHERE id = $1 AND state <> 'closed'`,
    values: [input.id, input.now],
  })
  return rowCount === 1
}

/** Reopens a ticket, which waits for staff again. Returns false if the ticket is not closed. */
export async function setReopened(db: Db, input: { id: number; now: Date }): Promise<boolean> {
  const { rowCount } = await db.query({
    text: `UPDATE support_tickets SET state = 'open', waits_since = $2, closed_at = NULL, changed_at = $2
      WHERE id = $1 AND state = 'closed'`,
    values: [input.id, input.now],
  })
  return rowCount === 1
}

/** Changes the category of a ticket. Returns false if the ticket already has this category. */
export async function setCategory(db: Db, input: { id: number; category: SupportCategory }): Promise<boolean> {
  const { rowCount } = await db.query({
    text: 'UPDATE support_tickets SET category = $2 WHERE id = $1 AND category <> $2',
    values: [input.id, input.category],
  })
  return rowCount === 1
}
