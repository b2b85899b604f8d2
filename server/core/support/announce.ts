import { userChannel } from '#contract/live-events.ts'
import type { Context } from '#server/house/context.ts'
import { tellUser } from '#server/house/news/tell.ts'
import type { MessageRow, TicketRow } from './queries/row.ts'
import { authorOf } from './record.ts'

/** Announces a message to the user's open tabs after the commit. A failure loses nothing, because pages refetch. */
export function announceMessage(ctx: Context, { ticket, message }: { ticket: TicketRow; message: MessageRow }): void {
  tellUser(ctx, ticket.user_id, { kind: 'support-message', id: message.id.toString() })
  showMessage(ctx, ticket.user_id, message)
}

/** Shows a message to the tabs of this node alone. */
export function showMessage(ctx: Context, userId: number, message: MessageRow): void {
  ctx.realtime.publish(userChannel(userId), 'NewMessage', {
    id: Number(message.id),
    ticketId: Number(message.ticket_id),
    author: authorOf(message),
    text: message.body,
    created_at: message.created_at.toISOString(),
  })
}
