import { SECOND } from '#contract/time.ts'
import { announceWriting } from '#server/core/support/announce-to-staff.ts'
import { findWriter } from '#server/core/support/queries/staff-members.ts'
import type { Context } from '#server/house/context.ts'
import { notFound } from '#server/house/errors/errors.ts'
import { createRateLimit } from '#server/house/limits/rate-limit.ts'
import type { StaffCaller } from './staff-call.ts'

/** The maximum rate of calls to `tellWriting`. Pages call every four seconds. Excess calls have no effect. */
const TOLD = createRateLimit({ name: 'typing told by staff', burst: 3, refillMs: 3 * SECOND })

/** Tells colleagues that a member of staff is writing in this ticket, and stores nothing. Throws NOT_FOUND. */
export async function tellWriting(ctx: Context, { staff }: StaffCaller, { id }: { id: number }): Promise<void> {
  if (!(await TOLD.take(ctx, String(staff.id))).isTaken) return
  const name = await findWriter(ctx.db, { ticketId: id, staffId: staff.id })
  if (name === null) throw notFound()
  const payload = { ticketId: id, by: { id: staff.id, name } }
  ctx.background.run('announce', () => announceWriting(ctx, payload))
}
