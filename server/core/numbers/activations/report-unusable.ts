import { findAnyActivation } from '#server/core/numbers/activations/queries/read.ts'
import { endUnusable } from '#server/core/numbers/activations/queries/used.ts'
import { readOrderReference } from '#server/core/numbers/sourcing/order-reference.ts'
import { reservingOf } from '#server/core/numbers/sourcing/under-way.ts'
import { waitUntilSettled } from '#server/core/numbers/sourcing/wait-until-settled.ts'
import type { Context } from '#server/house/context.ts'
import { announceChange } from './announce.ts'
import { referenceOf } from './order.ts'

/** Refunds the buyer and bars a number that receives nothing, as its supplier reports. Ignores unknown references. */
export async function reportUnusable(ctx: Context, input: { supplierId: number; reference: string }): Promise<void> {
  const reference = readOrderReference(input.reference)
  if (reference?.kind !== 'activation') return
  const { id } = reference
  await waitUntilSettled(reservingOf(ctx), id)
  const row = await findAnyActivation(ctx.db, id)
  if (row === null || row.supplier_id !== input.supplierId || referenceOf(row) !== input.reference) return
  const ended = await endUnusable(ctx.db, { id: row.id, now: ctx.clock.now() })
  if (ended !== null) await announceChange(ctx, ended)
}
