import { announceToStaff } from '#server/core/support/announce-to-staff.ts'
import type { Context } from '#server/house/context.ts'
import { transaction } from '#server/house/db/transaction.ts'
import { notFound } from '#server/house/errors/errors.ts'
import { announceMessage } from './announce.ts'
import { openLimitOf } from './limits.ts'
import { noteAsked } from './queries/messages.ts'
import type { MessageRow } from './queries/row.ts'
import { countOpen, lockMember, lockTicket } from './queries/tickets.ts'
import { tooManyTickets } from './support-errors.ts'
import { findWritten, writeMessage } from './write-message.ts'

/**
 * Replies to a ticket and reopens it. Throws NOT_FOUND, TOO_MANY_TICKETS, TOO_MANY_REQUESTS, TOO_MANY_FILES,
 * INVALID_INPUT.
 */
export async function replyToTicket(
  ctx: Context,
  input: { ticketId: bigint; userId: number; text: string; files: number[]; idempotencyKey: string | undefined },
): Promise<MessageRow> {
  const { ticketId, userId } = input
  const wanted = { ...input, authorId: userId, kind: 'member' as const }
  const written = await transaction(ctx.db, async (tx) => {
    const openLimit = openLimitOf(await lockMember(tx, userId))
    const ticket = await lockTicket(tx, { id: ticketId, userId })
    if (ticket === null) throw notFound()
    const earlier = await findWritten(tx, wanted)
    if (earlier !== null) return { ticket, message: earlier, isNew: false }
    if (ticket.state === 'closed' && (await countOpen(tx, userId)) >= openLimit) {
      throw tooManyTickets(openLimit)
    }
    const message = await writeMessage(ctx, tx, wanted)
    await noteAsked(tx, { id: ticketId, now: ctx.clock.now() })
    return { ticket, message, isNew: true }
  })
  if (written.isNew) {
    announceMessage(ctx, written)
    ctx.background.run('announce', () => announceToStaff(ctx, ticketId))
  }
  return written.message
}
