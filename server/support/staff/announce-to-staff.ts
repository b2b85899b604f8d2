import { userChannel } from '#contract/live-events.ts'
import type { Context } from '#server/context.ts'
import { listStaff } from './queries/members.ts'

const MOST_STAFF = 200

/** Names the ticket alone: pages ask for the rest, and so meet the guard. A failure loses nothing: it is logged. */
export async function announceToStaff(ctx: Context, ticketId: number | bigint): Promise<void> {
  try {
    for (const id of await listStaff(ctx.db, MOST_STAFF)) {
      const channel = userChannel(id)
      if (ctx.realtime.hasListeners(channel)) {
        ctx.realtime.publish(channel, 'StaffTicketChanged', { ticketId: Number(ticketId) })
      }
    }
  } catch (error) {
    ctx.log.warn({ error, ticketId: ticketId.toString() }, 'a ticket could not be announced to staff')
  }
}
