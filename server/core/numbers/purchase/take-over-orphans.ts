import { ACTIVATION_ORDER } from '#server/core/numbers/activations/order.ts'
import { RENTAL_ORDER } from '#server/core/numbers/rentals/order.ts'
import type { Context } from '#server/house/context.ts'
import { nodeOf } from '#server/house/nodes/node.ts'

/** Makes the unsettled orders of nodes that have ended orders of this node, so that its sweeps see them. */
export async function takeOverOrphans(ctx: Context): Promise<void> {
  const { id } = nodeOf(ctx)
  await ACTIVATION_ORDER.takeOver(ctx.db, id)
  await RENTAL_ORDER.takeOver(ctx.db, id)
}
