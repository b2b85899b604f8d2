import { reportUnusable } from '#server/core/numbers/activations/report-unusable.ts'
import { reportRentalUnusable } from '#server/core/numbers/rentals/report-unusable.ts'
import { readOrderReference } from '#server/core/numbers/sourcing/order-reference.ts'
import type { Context } from '#server/house/context.ts'

export async function reportNumberUnusable(
  ctx: Context,
  input: { supplierId: number; reference: string },
): Promise<void> {
  if (readOrderReference(input.reference)?.kind === 'rental') await reportRentalUnusable(ctx, input)
  else await reportUnusable(ctx, input)
}
