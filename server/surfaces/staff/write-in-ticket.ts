import type { StaffMessage } from '#contract/staff/staff-room.ts'
import { announceToStaff } from '#server/core/support/announce-to-staff.ts'
import { answerTicket } from '#server/core/support/answer.ts'
import { isErased } from '#server/core/support/queries/staff-members.ts'
import { findAnswerer, findMessage } from '#server/core/support/queries/staff-messages.ts'
import type { Context } from '#server/house/context.ts'
import { auditStaff, ticketSubject } from './audit-ticket.ts'
import { toStaffMessages } from './get-ticket.ts'
import { takeIfFree } from './queries/tickets.ts'
import type { StaffCaller } from './staff-call.ts'
import { buyerDeleted, ownTicket, ticketAnswered } from './staff-errors.ts'

type Written = { id: number; kind: 'staff' | 'note'; text: string; files: number[]; seen: number }

/**
 * Writes an answer, or a note that only staff see. An answer in an unassigned ticket assigns the ticket to its author.
 * Throws NOT_FOUND, OWN_TICKET, BUYER_DELETED, TICKET_ANSWERED (a colleague answered after the page was loaded), and
 * the errors of `answerTicket`.
 */
export async function writeInTicket(
  ctx: Context,
  caller: StaffCaller,
  { id, kind, text, files, seen, idempotencyKey }: Written & { idempotencyKey: string | undefined },
): Promise<StaffMessage> {
  const { staff } = caller
  let isNew = false
  const message = await answerTicket(ctx, {
    ticketId: BigInt(id),
    staffId: staff.id,
    kind,
    text,
    files,
    idempotencyKey,
    alongside: async (tx, { ticket, message: made }) => {
      if (ticket.user_id === staff.id) throw ownTicket()
      if (kind === 'staff') {
        if (await isErased(tx, ticket.user_id)) throw buyerDeleted()
        const colleague = await findAnswerer(tx, { ticketId: ticket.id, seen, staffId: staff.id })
        if (colleague !== null) throw ticketAnswered(colleague)
        await takeIfFree(tx, { id, staffId: staff.id, now: ctx.clock.now() })
      }
      await auditStaff(ctx, tx, caller, {
        command: kind === 'staff' ? 'ticket:answer' : 'ticket:note',
        subject: ticketSubject(id),
        detail: { message: Number(made.id) },
      })
      isNew = true
    },
  })
  if (isNew) ctx.background.run('announce', () => announceToStaff(ctx, id))
  const row = await findMessage(ctx.db, message.id)
  const [record] = row === null ? [] : await toStaffMessages(ctx, [row])
  if (record === undefined) throw new Error('the message has no record')
  return record
}
