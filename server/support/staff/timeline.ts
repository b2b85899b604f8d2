import { toDecimal } from '#contract/money.ts'
import type { OrderKind } from '#contract/staff/staff-constants.ts'
import type { TimelineReply } from '#contract/staff/staff-room.ts'
import type { Context } from '#server/context.ts'
import { notFound } from '#server/errors.ts'
import { listHappenings } from '#server/numbers/listing/queries/happenings.ts'
import { isOrderOf } from './queries/card.ts'
import { findStaffTicket } from './queries/tickets.ts'
import type { StaffCaller } from './staff-call.ts'

/** What happened to a number of the ticket's buyer: no supplier, no sender, no text. Throws NOT_FOUND. */
export async function getTimeline(
  ctx: Context,
  _caller: StaffCaller,
  { id, kind, order }: { id: number; kind: OrderKind; order: number },
): Promise<TimelineReply> {
  const ticket = await findStaffTicket(ctx.db, id)
  if (ticket === null || !(await isOrderOf(ctx.db, { userId: ticket.user_id, kind, id: order }))) throw notFound()
  const happenings = await listHappenings(ctx.db, { kind, id: BigInt(order) })
  return {
    status: true,
    data: happenings.map(({ at, what, data }, place) => ({
      key: `${place} ${what}`,
      at: at.toISOString(),
      what,
      amount: typeof data.amount_micros === 'number' ? toDecimal(BigInt(data.amount_micros)) : null,
    })),
  }
}
