import type { Currency } from '#contract/money.ts'
import type { Db } from '#server/house/db/pool.ts'

/** The key ("refu" in ASCII) of the lock that runs refunds one at a time, so that each counts all earlier refunds. */
const REFUND_LOCK = 0x72656675

export async function lockRefunds(tx: Db): Promise<void> {
  await tx.query({ text: 'SELECT pg_advisory_xact_lock($1)', values: [REFUND_LOCK] })
}

export type NewRefund = {
  ticketId: bigint
  staffId: number
  userId: number
  activationId: number | null
  rentalId: number | null
  amountMicros: bigint
  currency: Currency
  at: Date
}

export async function insertRefund(tx: Db, refund: NewRefund): Promise<void> {
  await tx.query({
    text: `INSERT INTO support_refunds (ticket_id, staff_id, user_id, activation_id, rental_id, amount_micros, currency, at)
      VALUES ($ticketId, $staffId, $userId, $activationId, $rentalId, $amountMicros, $currency, $at)`,
    values: refund,
  })
}

export type RefundSums = { ofTicket: bigint; ofBuyer: bigint; ofStaff: bigint }

/**
 * Sums the refunds in one currency: those in the ticket, those to the buyer after `since`, and those by the member of
 * staff after `since`.
 */
export async function sumRefunds(
  db: Db,
  input: { ticketId: bigint; userId: number; staffId: number; currency: Currency; since: Date },
): Promise<RefundSums> {
  const { rows } = await db.query<RefundSums>({
    text: `SELECT
        (SELECT COALESCE(sum(amount_micros), 0)::bigint FROM support_refunds
          WHERE ticket_id = $ticketId AND currency = $currency) AS "ofTicket",
        (SELECT COALESCE(sum(amount_micros), 0)::bigint FROM support_refunds
          WHERE user_id = $userId AND currency = $currency AND at > $since) AS "ofBuyer",
        (SELECT COALESCE(sum(amount_micros), 0)::bigint FROM support_refunds
          WHERE staff_id = $staffId AND currency = $currency AND at > $since) AS "ofStaff"`,
    values: input,
  })
  return rows[0] ?? { ofTicket: 0n, ofBuyer: 0n, ofStaff: 0n }
}

export async function refundedIn(db: Db, ticketId: bigint): Promise<bigint> {
  const { rows } = await db.query<{ micros: bigint }>({
    name: 'staff-refunded-in',
    text: 'SELECT COALESCE(sum(amount_micros), 0)::bigint AS micros FROM support_refunds WHERE ticket_id = $1',
    values: [ticketId],
  })
  return rows[0]?.micros ?? 0n
}
