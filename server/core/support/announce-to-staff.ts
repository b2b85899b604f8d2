import { type SentEvents, userChannel } from '#contract/live-events.ts'
import { listStaff } from '#server/core/support/queries/staff-members.ts'
import type { Context } from '#server/house/context.ts'

const MOST_STAFF = 200

/** Announces a ticket to staff by its id alone, so that pages fetch its contents and pass the access check. */
export async function announceToStaff(ctx: Context, ticketId: number | bigint): Promise<void> {
  await publishToStaff(ctx, 'StaffTicketChanged', { payload: { ticketId: Number(ticketId) } })
}

/** Publishes an event to staff. A failure is logged and loses nothing. */
export async function publishToStaff<Name extends 'StaffTicketChanged' | 'StaffWriting'>(
  ctx: Context,
  name: Name,
  { payload, except }: { payload: SentEvents[Name]; except?: number },
): Promise<void> {
  try {
    for (const id of await listStaff(ctx.db, MOST_STAFF)) {
      const channel = userChannel(id)
      if (id !== except && ctx.realtime.hasListeners(channel)) ctx.realtime.publish(channel, name, payload)
    }
  } catch (error) {
    ctx.log.warn({ error, ticketId: payload.ticketId }, 'a ticket could not be announced to staff')
  }
}
