import { readOrderReference } from '#server/core/numbers/sourcing/order-reference.ts'
import { rentingOf } from '#server/core/numbers/sourcing/under-way.ts'
import { waitUntilSettled } from '#server/core/numbers/sourcing/wait-until-settled.ts'
import type { Context } from '#server/house/context.ts'
import { announceRental } from './announce.ts'
import { rentReferenceOf } from './order.ts'
import { endUnused } from './queries/end.ts'
import { findAnyRental } from './queries/read.ts'

/**
 * Handles a supplier's report that a rented number receives nothing: releases a held price; if the price was captured,
 * only logs the report for staff. Ignores a reference that belongs to no rental of this supplier.
 */
export async function reportRentalUnusable(
  ctx: Context,
  input: { supplierId: number; reference: string },
): Promise<void> {
  const reference = readOrderReference(input.reference)
  if (reference?.kind !== 'rental') return
  const { id } = reference
  await waitUntilSettled(rentingOf(ctx), id)
  const row = await findAnyRental(ctx.db, id)
  if (row === null || row.supplier_id !== input.supplierId || rentReferenceOf(row) !== input.reference) return
  const ended = await endUnused(ctx.db, { id: row.id, state: 'revoked', now: ctx.clock.now() })
  if (ended !== null) return announceRental(ctx, ended, { paid: true })
  if (row.state === 'active') ctx.log.warn(input, 'a rented number that is paid for does not work')
}
