import type { z } from 'zod'
import type { muteAlarmSchema, turnSupplierSchema, unmuteAlarmSchema } from '#contract/staff/supply.ts'
import { HOUR } from '#contract/time.ts'
import { muteAlarm, unmuteAlarm } from '#server/core/alarms/queries.ts'
import { nameOf } from '#server/core/alarms/set-alarm.ts'
import { findInService } from '#server/core/catalog/health/queries/pausing.ts'
import { switchSupplier } from '#server/core/catalog/standing/switch-supplier.ts'
import type { Context } from '#server/house/context.ts'
import type { Db } from '#server/house/db/pool.ts'
import { transaction } from '#server/house/db/transaction.ts'
import { notFound } from '#server/house/errors/errors.ts'
import { tellNodes } from '#server/house/news/tell.ts'
import { auditStaff } from '../audit-ticket.ts'
import type { StaffCaller } from '../staff-call.ts'
import { forgetBoard } from './board.ts'

type Turn = z.output<typeof turnSupplierSchema>
type Mute = z.output<typeof muteAlarmSchema>
type Unmute = z.output<typeof unmuteAlarmSchema>

/** Pauses a supplier like the command `supplier:pause`. Throws NOT_FOUND. */
export function pauseSupplier(ctx: Context, caller: StaffCaller, turn: Turn): Promise<void> {
  return turnTo(ctx, caller, { ...turn, on: 'paused' })
}

/** Resumes a supplier like the command `supplier:resume`. Throws NOT_FOUND. */
export function resumeSupplier(ctx: Context, caller: StaffCaller, turn: Turn): Promise<void> {
  return turnTo(ctx, caller, { ...turn, on: 'at-work' })
}

async function turnTo(
  ctx: Context,
  caller: StaffCaller,
  { code, reason, on }: Turn & { on: 'paused' | 'at-work' },
): Promise<void> {
  await change(ctx, async (tx) => {
    const now = ctx.clock.now()
    const turned = await switchSupplier(tx, { code, on, now, reason })
    if (turned === null) throw notFound()
    if (!turned.changed) return
    const command = on === 'paused' ? 'supplier:pause' : 'supplier:resume'
    const detail = { id: turned.id }
    await auditStaff(ctx, tx, caller, { at: now, command, subject: `supplier:${code}`, reason, detail })
  })
}

/** Mutes an alarm for this supplier only, like the command `alarm:mute`. Throws NOT_FOUND. */
export async function muteSupplierAlarm(
  ctx: Context,
  caller: StaffCaller,
  { code, alarm, hours }: Mute,
): Promise<void> {
  await change(ctx, async (tx) => {
    const name = await alarmName(tx, { code, alarm })
    const now = ctx.clock.now()
    const until = new Date(now.getTime() + hours * HOUR)
    await muteAlarm(tx, { name, until, now })
    await auditStaff(ctx, tx, caller, { at: now, command: 'alarm:mute', subject: `alarm:${name}`, detail: { until } })
  })
}

/** Unmutes an alarm like the command `alarm:unmute`. Throws NOT_FOUND. */
export async function unmuteSupplierAlarm(ctx: Context, caller: StaffCaller, { code, alarm }: Unmute): Promise<void> {
  await change(ctx, async (tx) => {
    const name = await alarmName(tx, { code, alarm })
    const now = ctx.clock.now()
    if (!(await unmuteAlarm(tx, { name, now }))) return
    await auditStaff(ctx, tx, caller, { at: now, command: 'alarm:unmute', subject: `alarm:${name}` })
  })
}

async function alarmName(tx: Db, { code, alarm }: Unmute): Promise<string> {
  if (!(await findInService(tx, code))) throw notFound()
  return nameOf({ kind: alarm, about: code })
}

async function change(ctx: Context, work: (tx: Db) => Promise<void>): Promise<void> {
  await transaction(ctx.db, work)
  forgetBoard(ctx)
  tellNodes(ctx, { kind: 'supply-changed' })
}
