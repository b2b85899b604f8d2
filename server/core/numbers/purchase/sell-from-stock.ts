import { healthBookOf } from '#server/core/catalog/health/health-book.ts'
import { routeBookOf } from '#server/core/catalog/routing/route-book.ts'
import { notePurchase } from '#server/core/catalog/standing/note-purchase.ts'
import type { SourcedOffer } from '#server/core/numbers/sourcing/order-kind.ts'
import { logSale } from '#server/core/numbers/sourcing/source-number.ts'
import { suppliersOf } from '#server/core/suppliers/running-suppliers.ts'
import type { Context } from '#server/house/context.ts'
import type { Reservation } from '../activations/queries/purchase.ts'
import type { ActivationRow } from '../activations/queries/row.ts'
import { sellFromStock } from '../activations/queries/sell-stock.ts'

/**
 * Sells one of our own numbers in the statement that holds the money, if the first offer is of our own numbers. Returns
 * null if nothing was held or sold; the suppliers are then asked as usual. Throws PromotionFull.
 */
export async function sellOwnNumber(
  ctx: Context,
  reservation: Reservation,
  offer: SourcedOffer,
): Promise<ActivationRow | null> {
  const supplier = suppliersOf(ctx).get(offer.supplierId)
  if (supplier?.sellInStatement === undefined || supplier.link?.().up === false) return null
  const { operator, currency, costMicros } = offer
  const order = { ...reservation, buyerId: reservation.userId, operator, currency, maxCostMicros: costMicros }
  const sale = supplier.sellInStatement(order)
  if (sale === null) return null
  // A trial, or a purchase that is counted, belongs to a buyer whose money is held already.
  const isPlain =
    healthBookOf(ctx).of(supplier.id).state !== 'aside' && routeBookOf(ctx).ruleOf(supplier.id).perMinute === null
  if (!isPlain) return null
  const beganAt = performance.now()
  const sold = await sellFromStock(ctx.db, reservation, sale)
  if (sold === null) return null
  notePurchase(ctx, supplier.id, { pass: 'plain', result: 'bought', why: '' })
  const { id: supplierId, code } = supplier
  const tookMs = performance.now() - beganAt
  healthBookOf(ctx).calls.note({ supplierId, call: 'buy', failed: false, tookMs, now: ctx.clock.now() })
  ctx.metrics.supplierCalls.inc({ supplier: code, call: 'buy', result: 'bought' })
  logSale(ctx, sold, {
    kind: 'activation',
    supplier: code,
    operator: sold.operator ?? '',
    costMicros: sale.values.costMicros,
  })
  return sold
}
