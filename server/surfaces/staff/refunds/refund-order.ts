import { toDecimal } from '#contract/money.ts'
import type { OrderKind } from '#contract/staff/staff-constants.ts'
import type { RefundReply } from '#contract/staff/staff-room.ts'
import { DAY } from '#contract/time.ts'
import { requireSession } from '#server/core/accounts/sessions/require-session.ts'
import { requireConfirmed } from '#server/core/accounts/ways-in/require-confirmed.ts'
import { announceRefund } from '#server/core/numbers/refunds/announce-refund.ts'
import { payBack } from '#server/core/numbers/refunds/pay-back.ts'
import { announceBalance } from '#server/core/payments/announce.ts'
import { announceToStaff } from '#server/core/support/announce-to-staff.ts'
import { ticketPath } from '#server/core/support/ticket-path.ts'
import type { Context } from '#server/house/context.ts'
import type { Db } from '#server/house/db/pool.ts'
import { transaction } from '#server/house/db/transaction.ts'
import { notFound } from '#server/house/errors/errors.ts'
import { auditStaff } from '../audit-ticket.ts'
import { isOrderOf } from '../queries/card.ts'
import { insertRefund, lockRefunds, type NewRefund, sumRefunds } from '../queries/refunds.ts'
import { findStaffTicket } from '../queries/tickets.ts'
import type { StaffCaller } from '../staff-call.ts'
import { nothingToRefund, ownTicket, refundCap, refundedBefore } from '../staff-errors.ts'

type Wanted = { id: number; kind: OrderKind; order: number }

/**
 * Refunds a number of the ticket's buyer in full and only once, because the books refuse a second refund. The refund
 * ends the number, and the buyer is told. Throws CONFIRM_PASSWORD, NOT_FOUND, OWN_TICKET, NOTHING_TO_REFUND,
 * REFUNDED_BEFORE, REFUND_CAP.
 */
export async function refundOrder(ctx: Context, caller: StaffCaller, wanted: Wanted): Promise<RefundReply> {
  // A session that somebody left open must not be enough to give money away.
  await requireConfirmed(ctx, requireSession(caller))
  const { refund, availableMicros } = await transaction(ctx.db, async (tx) => {
    await lockRefunds(tx)
    const moved = await moveBack(ctx, tx, caller, wanted)
    await insertRefund(tx, moved.refund)
    // A refund above the cap throws, so the movement of money is rolled back.
    await requireWithinCap(ctx, tx, caller, moved.refund)
    await auditStaff(ctx, tx, caller, {
      // The timeline joins the movement of money and its actor by their equal time.
      at: moved.refund.at,
      command: 'ticket:refund',
      subject: `${wanted.kind}:${wanted.order}`,
      reason: `ticket ${wanted.id}`,
      detail: {
        ticket: wanted.id,
        userId: moved.refund.userId,
        amount: toDecimal(moved.refund.amountMicros),
        currency: moved.refund.currency,
      },
    })
    return moved
  })
  const { userId, currency, amountMicros } = refund
  announceBalance(ctx, { userId, currency, availableMicros })
  ctx.background.run('announce', () => announceToStaff(ctx, wanted.id))
  ctx.background.run('announce', () => announceRefund(ctx, { kind: wanted.kind, id: BigInt(wanted.order) }))
  return { status: true, amount: toDecimal(amountMicros), currency, balance: toDecimal(availableMicros) }
}

async function moveBack(
  ctx: Context,
  tx: Db,
  { staff }: StaffCaller,
  { id, kind, order }: Wanted,
): Promise<{ refund: NewRefund; availableMicros: bigint }> {
  const ticket = await findStaffTicket(tx, id)
  if (ticket === null || !(await isOrderOf(tx, { userId: ticket.user_id, kind, id: order }))) throw notFound()
  if (ticket.user_id === staff.id) throw ownTicket()
  const at = ctx.clock.now()
  const paid = { order: { kind, id: BigInt(order) }, link: ticketPath(ticket.id), now: at }
  const found = await payBack(tx, paid)
  switch (found.outcome) {
    case 'unknown':
    case 'not-captured':
    case 'nobody':
      throw nothingToRefund()
    case 'refunded-before':
      throw refundedBefore()
    case 'refunded': {
      const { userId, amountMicros, currency, availableMicros } = found
      const activationId = kind === 'activation' ? order : null
      const rentalId = kind === 'rental' ? order : null
      const refund = {
        ticketId: ticket.id,
        staffId: staff.id,
        userId,
        activationId,
        rentalId,
        amountMicros,
        currency,
        at,
      }
      return { refund, availableMicros }
    }
    default:
      return found satisfies never
  }
}

async function requireWithinCap(ctx: Context, tx: Db, { staff }: StaffCaller, refund: NewRefund): Promise<void> {
  const sums = await sumRefunds(tx, { ...refund, since: new Date(refund.at.getTime() - DAY) })
  const cap = staff.role === 'operator' ? null : ctx.config.staffRefundCapMicros[refund.currency]
  const dayCap = ctx.config.staffDayCapMicros[staff.role][refund.currency]
  if (cap !== null && (sums.ofTicket > cap || sums.ofBuyer > cap)) throw refundCap('REFUND_CAP', toDecimal(cap))
  if (dayCap === null || sums.ofStaff <= dayCap) return
  throw refundCap(staff.role === 'operator' ? 'REFUND_CAP.operator' : 'REFUND_CAP.day', toDecimal(dayCap))
}
