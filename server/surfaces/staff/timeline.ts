import { toDecimal } from '#contract/money.ts'
import type { OrderKind } from '#contract/staff/staff-constants.ts'
import type { TimelineReply } from '#contract/staff/staff-room.ts'
import { type Happening, listHappenings } from '#server/core/numbers/listing/queries/happenings.ts'
import { nameActors } from '#server/core/support/queries/staff-members.ts'
import type { Context } from '#server/house/context.ts'
import { notFound } from '#server/house/errors/errors.ts'
import { isOrderOf } from './queries/card.ts'
import { findStaffTicket } from './queries/tickets.ts'
import type { StaffCaller } from './staff-call.ts'

type Told = { at: Date; what: string; micros: bigint | null; by: string | null }

/** Returns the history of a phone number of the ticket's buyer, without supplier, sender and text. Throws NOT_FOUND. */
export async function getTimeline(
  ctx: Context,
  _caller: StaffCaller,
  { id, kind, order }: { id: number; kind: OrderKind; order: number },
): Promise<TimelineReply> {
  const ticket = await findStaffTicket(ctx.db, id)
  if (ticket === null || !(await isOrderOf(ctx.db, { userId: ticket.user_id, kind, id: order }))) throw notFound()
  const told = joinRefunds((await listHappenings(ctx.db, { kind, id: BigInt(order) })).map(toTold))
  const names = await nameActors(ctx.db, [...new Set(told.flatMap(({ by }) => by ?? []))])
  return {
    status: true,
    data: told.map(({ at, what, micros, by }, place) => ({
      key: `${place} ${what}`,
      at: at.toISOString(),
      what,
      amount: micros === null ? null : toDecimal(micros),
      by: by === null ? null : (names.get(by) ?? by),
    })),
  }
}

function toTold({ at, what, data }: Happening): Told {
  const { amount_micros: micros, by } = data
  return {
    at,
    what,
    micros: typeof micros === 'number' ? BigInt(micros) : null,
    by: typeof by === 'string' ? by : null,
  }
}

const REFUNDS = new Set(['staff.ticket:refund', 'staff.order:refund'])
const PARTS = new Set(['money.refund', 'activation.refunded', 'rental.refunded'])

/**
 * Joins the events of a refund into one line with actor and amount, placed before the end that the refund caused. All
 * events of a refund have exactly the same time.
 */
function joinRefunds(told: readonly Told[]): Told[] {
  const by = new Map(told.filter(({ what }) => REFUNDS.has(what)).map((line) => [line.at.getTime(), line]))
  const placed = new Set<number>()
  return told.flatMap((line) => {
    const moment = line.at.getTime()
    const refund = by.get(moment)
    if (refund === undefined) return [line]
    const first = placed.has(moment) ? [] : [{ ...refund, micros: sumOf(told, moment) }]
    placed.add(moment)
    return PARTS.has(line.what) || REFUNDS.has(line.what) ? first : [...first, line]
  })
}

function sumOf(told: readonly Told[], moment: number): bigint {
  return told
    .filter(({ at, what }) => what === 'money.refund' && at.getTime() === moment)
    .reduce((sum, { micros }) => sum + (micros ?? 0n), 0n)
}
