import type { SupportCategory } from '#contract/support/support-constants.ts'
import { announceToStaff } from '#server/core/support/announce-to-staff.ts'
import type { Context } from '#server/house/context.ts'
import type { Db } from '#server/house/db/pool.ts'
import { transaction } from '#server/house/db/transaction.ts'
import { notFound } from '#server/house/errors/errors.ts'
import { auditStaff, ticketSubject } from './audit-ticket.ts'
import {
  findStaffTicket,
  type StaffTicketRow,
  setCategory,
  setClosedByStaff,
  setReleased,
  setReopened,
  setTaken,
} from './queries/tickets.ts'
import type { StaffCaller } from './staff-call.ts'
import { ownTicket, ticketTaken } from './staff-errors.ts'

/** Assigns a ticket to the calling member of staff. Throws NOT_FOUND, OWN_TICKET, TICKET_TAKEN. */
export async function takeTicket(
  ctx: Context,
  caller: StaffCaller,
  { id, from }: { id: number; from?: number | undefined },
): Promise<void> {
  await change(
    ctx,
    caller,
    { id, command: 'ticket:take', detail: { from: from ?? null } },
    async (tx, { staffId, now }) => {
      if (await setTaken(tx, { id, staffId, from: from ?? null, now })) return true
      throw ticketTaken((await findStaffTicket(tx, id))?.taker ?? '')
    },
  )
}

export async function releaseTicket(ctx: Context, caller: StaffCaller, { id }: { id: number }): Promise<void> {
  await change(ctx, caller, { id, command: 'ticket:release' }, (tx, { staffId }) => setReleased(tx, { id, staffId }))
}

export async function closeTicketByStaff(ctx: Context, caller: StaffCaller, { id }: { id: number }): Promise<void> {
  await change(ctx, caller, { id, command: 'ticket:close' }, (tx, { now }) => setClosedByStaff(tx, { id, now }))
}

export async function reopenTicket(ctx: Context, caller: StaffCaller, { id }: { id: number }): Promise<void> {
  await change(ctx, caller, { id, command: 'ticket:reopen' }, (tx, { now }) => setReopened(tx, { id, now }))
}

export async function changeCategory(
  ctx: Context,
  caller: StaffCaller,
  { id, category }: { id: number; category: SupportCategory },
): Promise<void> {
  await change(ctx, caller, { id, command: 'ticket:category', detail: { category } }, (tx) =>
    setCategory(tx, { id, category }),
  )
}

type Work = (tx: Db, by: { staffId: number; now: Date; ticket: StaffTicketRow }) => Promise<boolean>

/** Changes a ticket. If it already has the wanted state, nothing is audited. Throws NOT_FOUND, OWN_TICKET. */
async function change(
  ctx: Context,
  caller: StaffCaller,
  what: { id: number; command: string; detail?: Record<string, unknown> },
  work: Work,
): Promise<void> {
  const changed = await transaction(ctx.db, async (tx) => {
    const ticket = await findStaffTicket(tx, what.id)
    if (ticket === null) throw notFound()
    if (ticket.user_id === caller.staff.id) throw ownTicket()
    const done = await work(tx, { staffId: caller.staff.id, now: ctx.clock.now(), ticket })
    if (done) await auditStaff(ctx, tx, caller, { ...what, subject: ticketSubject(what.id) })
    return done
  })
  if (changed) ctx.background.run('announce', () => announceToStaff(ctx, what.id))
}
