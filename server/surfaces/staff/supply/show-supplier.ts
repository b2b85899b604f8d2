import type { SupplierReply, SuppliersReply } from '#contract/staff/supply.ts'
import { DAY } from '#contract/time.ts'
import { listSilent } from '#server/adapters/shared/own-numbers/queries/silent-numbers.ts'
import { isWatching } from '#server/core/alarms/set-alarm.ts'
import { sumCalls } from '#server/core/catalog/health/queries/calls.ts'
import { findSupplierId, listSupplierEvents } from '#server/core/catalog/health/queries/shown.ts'
import { answerTimes } from '#server/core/catalog/health/shown-shares.ts'
import type { Context } from '#server/house/context.ts'
import { notFound } from '#server/house/errors/errors.ts'
import type { StaffCaller } from '../staff-call.ts'
import { readBoard } from './board.ts'

const EVENTS_PER_PAGE = 30
const SILENT_SHOWN = 20

export async function getSuppliers(ctx: Context): Promise<SuppliersReply> {
  return { status: true, data: [...(await readBoard(ctx))] }
}

/** Returns what the commands `supplier:show`, `supplier:events` and `numbers:silent` print. Throws NOT_FOUND. */
export async function getSupplier(
  ctx: Context,
  _caller: StaffCaller,
  { code, before }: { code: string; before?: number | undefined },
): Promise<SupplierReply> {
  const data = (await readBoard(ctx)).find((supplier) => supplier.code === code)
  const supplierId = data === undefined ? null : await findSupplierId(ctx.db, code)
  if (data === undefined || supplierId === null) throw notFound()
  const since = new Date(ctx.clock.now().getTime() - DAY)
  const page = { supplierId, since: null, after: before === undefined ? null : BigInt(before) }
  const calls = await sumCalls(ctx.db, { supplierId, since })
  const events = await listSupplierEvents(ctx.db, { ...page, limit: EVENTS_PER_PAGE + 1 })
  const silent = await listSilent(ctx.db, { supplier: code, service: null, after: null, limit: SILENT_SHOWN + 1 })
  const shown = events.slice(0, EVENTS_PER_PAGE)
  const last = events.length > EVENTS_PER_PAGE ? shown.at(-1) : undefined
  return {
    status: true,
    data,
    alarms_watched: isWatching(ctx),
    calls: calls.map(({ milliseconds_counts: counts, ...sum }) => ({ ...sum, ...answerTimes(counts) })),
    events: shown.map(({ id, at, kind, reason }) => ({ id: Number(id), at: at.toISOString(), kind, reason })),
    next: last === undefined ? null : Number(last.id),
    silent: {
      data: silent.slice(0, SILENT_SHOWN).map((number) => ({
        phone: number.phone,
        sales: number.silent_sales,
        since: number.silent_at.toISOString(),
      })),
      has_more: silent.length > SILENT_SHOWN,
    },
  }
}
