import type { Context } from '#server/house/context.ts'
import { insertAudit } from '#server/house/db/audit-log.ts'
import type { Db } from '#server/house/db/pool.ts'
import type { StaffCaller } from './staff-call.ts'

type Done = { at?: Date; command: string; subject: string; reason?: string; detail?: Record<string, unknown> }

/** In the transaction of what was done. The actor stands as the subjects do: `user:12`. Words of a ticket stay out. */
export async function auditStaff(
  ctx: Context,
  tx: Db,
  { staff }: StaffCaller,
  { at = ctx.clock.now(), command, subject, reason = '', detail = {} }: Done,
): Promise<void> {
  await insertAudit(tx, { at, actor: `user:${staff.id}`, command, subject, reason, detail })
}

export function ticketSubject(id: number | bigint): string {
  return `ticket:${id}`
}
