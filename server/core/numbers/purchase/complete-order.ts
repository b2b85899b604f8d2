import { handOverEarly } from '#server/core/numbers/delivery/hand-over.ts'
import type { OrderKind, OrderRow, SourcedOffer } from '#server/core/numbers/sourcing/order-kind.ts'
import { sourceNumber } from '#server/core/numbers/sourcing/source-number.ts'
import type { Context } from '#server/house/context.ts'

/**
 * From the hold to the number: sources, counts, tells the other tabs. Null when no supplier had one. `reserved` was
 * made by `UnderWay.make`; afterwards it is not under way any more. `repeatOf`: that number or none.
 */
export async function completeOrder<Row extends OrderRow>(
  ctx: Context,
  kind: OrderKind<Row>,
  wanted: { reserved: Row; candidates: readonly SourcedOffer[]; repeatOf?: string | undefined },
): Promise<Row | null> {
  try {
    const row = await sourceNumber(ctx, kind, wanted)
    ctx.metrics.purchases.inc({ result: row === null ? 'no-numbers' : kind.sold })
    if (row === null) return null
    // Not awaited: the answer must not wait for other tabs.
    ctx.background.run('announce', () => kind.announce(ctx, row))
    await handOverEarly(ctx, row)
    return row
  } finally {
    kind.underWay(ctx).delete(wanted.reserved.id)
  }
}
