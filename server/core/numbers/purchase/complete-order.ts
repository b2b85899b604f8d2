import { handOverEarly } from '#server/core/numbers/delivery/hand-over.ts'
import type { OrderKind, OrderRow, SourcedOffer } from '#server/core/numbers/sourcing/order-kind.ts'
import { sourceNumber } from '#server/core/numbers/sourcing/source-number.ts'
import type { Context } from '#server/house/context.ts'

/**
 * Completes an order whose money is held: buys a number, unless one of our own came with the hold, counts it and
 * notifies other tabs. Returns null if no supplier had a number. `reserved` must come from `UnderWay.make`, and is
 * removed from the UnderWay set at the end. `repeatOf` is the only number that may be bought.
 */
export async function completeOrder<Row extends OrderRow>(
  ctx: Context,
  kind: OrderKind<Row>,
  wanted: { reserved: Row; candidates: readonly SourcedOffer[]; repeatOf?: string | undefined },
): Promise<Row | null> {
  try {
    const row = kind.isSettled(wanted.reserved) ? wanted.reserved : await sourceNumber(ctx, kind, wanted)
    ctx.metrics.purchases.inc({ result: row === null ? 'no-numbers' : kind.sold })
    if (row === null) return null
    // The announcement is not awaited, because the reply must not wait for other tabs.
    ctx.background.run('announce', () => kind.announce(ctx, row))
    await handOverEarly(ctx, row)
    return row
  } finally {
    kind.underWay(ctx).delete(wanted.reserved.id)
  }
}
