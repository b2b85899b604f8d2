import { readOrderReference } from '#server/core/numbers/sourcing/order-reference.ts'
import { rentingOf } from '#server/core/numbers/sourcing/under-way.ts'
import { waitUntilSettled } from '#server/core/numbers/sourcing/wait-until-settled.ts'
import type { Context } from '#server/house/context.ts'
import { announceRental } from './announce.ts'
import { rentReferenceOf } from './order.ts'
import { endUnused } from './queries/end.ts'
import { findAnyRental } from './queries/read.ts'

/** A supplier reports a dead number: releases a held price, later only logs for staff. Ignores foreign references. */
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
