import { userChannel } from '#contract/live-events.ts'
import type { Context } from '#server/house/context.ts'
import type { MessageRow, TicketRow } from './queries/row.ts'
import { authorOf } from './record.ts'

/** Announces a message to the user's open tabs after the commit. A failure loses nothing, because pages refetch. */
export function announceMessage(ctx: Context, { ticket, message }: { ticket: TicketRow; message: MessageRow }): void {
  ctx.realtime.publish(userChannel(ticket.user_id), 'NewMessage', {
    id: Number(message.id),
    ticketId: Number(message.ticket_id),
    author: authorOf(message),
    text: message.body,
    created_at: message.created_at.toISOString(),
  })
}
