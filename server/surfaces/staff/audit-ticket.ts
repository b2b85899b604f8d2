import type { Context } from '#server/house/context.ts'
import { insertAudit } from '#server/house/db/audit-log.ts'
import type { Db } from '#server/house/db/pool.ts'
import type { StaffCaller } from './staff-call.ts'

type Done = { at?: Date; command: string; subject: string; reason?: string; detail?: Record<string, unknown> }

/** Writes a staff action's audit entry in the action's transaction, with the actor as `user:12` and no ticket text. */
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
