import { type SentEvents, userChannel } from '#contract/live-events.ts'
import { findWriter, listStaff } from '#server/core/support/queries/staff-members.ts'
import type { Context } from '#server/house/context.ts'
import { tellNodes } from '#server/house/news/tell.ts'

const MOST_STAFF = 200

/** Announces a ticket to staff by its id alone, so that pages fetch its contents and pass the access check. */
export async function announceToStaff(ctx: Context, ticketId: number | bigint): Promise<void> {
  tellNodes(ctx, { kind: 'ticket', ticketId: Number(ticketId) })
  await showToStaff(ctx, Number(ticketId))
}

/** Announces that a member of staff writes in a ticket to the colleagues. */
export async function announceWriting(ctx: Context, payload: SentEvents['StaffWriting']): Promise<void> {
  tellNodes(ctx, { kind: 'writing', ticketId: payload.ticketId, staffId: payload.by.id })
  await publishToStaff(ctx, 'StaffWriting', { payload, except: payload.by.id })
}

/** Shows a changed ticket to the staff at this node alone. */
export async function showToStaff(ctx: Context, ticketId: number): Promise<void> {
  await publishToStaff(ctx, 'StaffTicketChanged', { payload: { ticketId } })
}

/** Shows to the staff at this node alone that a colleague writes. */
export async function showWriting(ctx: Context, { ticketId, staffId }: { ticketId: number; staffId: number }) {
  const name = await findWriter(ctx.db, { ticketId, staffId })
  if (name === null) return
  await publishToStaff(ctx, 'StaffWriting', { payload: { ticketId, by: { id: staffId, name } }, except: staffId })
}

/** Publishes an event to staff. A failure is logged and loses nothing. */
async function publishToStaff<Name extends 'StaffTicketChanged' | 'StaffWriting'>(
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
