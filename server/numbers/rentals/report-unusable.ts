import type { Context } from '#server/context.ts'
import { waitUntilSettled } from '#server/numbers/sourcing/wait-until-settled.ts'
import { announceRental } from './announce.ts'
import { rentReferenceOf } from './order.ts'
import { endUnused } from './queries/end.ts'
import { findAnyRental } from './queries/read.ts'

const REFERENCE_PATTERN = /^r(\d{1,18})-\d{1,6}$/

export function isRentReference(reference: string): boolean {
  return REFERENCE_PATTERN.test(reference)
}

/**
 * The supplier's report that a number does not work. A held price is released; later only staff are told, by the log. A
 * foreign reference changes nothing.
 */
export async function reportRentalUnusable(
  ctx: Context,
  input: { supplierId: number; reference: string },
): Promise<void> {
  const idText = REFERENCE_PATTERN.exec(input.reference)?.[1]
  if (idText === undefined) return
  const id = BigInt(idText)
  await waitUntilSettled(ctx.renting, id)
  const row = await findAnyRental(ctx.db, id)
  if (row === null || row.supplier_id !== input.supplierId || rentReferenceOf(row) !== input.reference) return
  const ended = await endUnused(ctx.db, { id: row.id, state: 'revoked', now: ctx.clock.now() })
  if (ended !== null) return announceRental(ctx, ended, { paid: true })
  if (row.state === 'active') ctx.log.warn(input, 'a rented number that is paid for does not work')
}
