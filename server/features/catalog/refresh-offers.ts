import { SECOND } from '#contract/time.ts'
import type { Context } from '#server/context.ts'
import type { Offer, Supplier } from '#server/suppliers/supplier.ts'
import { listOfferRows, replaceOffers } from './queries.ts'

/** Listing a supplier's whole stock may take this long; then the last known stock stands. */
const LIST_TIMEOUT_MS = 20 * SECOND
/** More offers than every service in every country of a large supplier has; the rest is left out. */
const MAX_OFFERS = 500_000

/** At start: what was last known of each supplier, so that pages have prices before anybody was asked. */
export async function loadOffers(ctx: Context, supplierId: number): Promise<void> {
  ctx.catalog.setOffers(supplierId, await listOfferRows(ctx.db, supplierId))
}

/** Asks one supplier what it sells now, and keeps the answer in PostgreSQL and in the index. */
export async function refreshOffers(ctx: Context, supplier: Supplier): Promise<void> {
  const result = await supplier.listOffers(AbortSignal.timeout(LIST_TIMEOUT_MS)).then(
    (offers) => ({ offers }),
    (error: unknown) => ({ error }),
  )
  if ('error' in result) {
    ctx.metrics.supplierCalls.inc({ supplier: supplier.code, call: 'list', result: 'failed' })
    ctx.log.warn({ error: result.error, supplier: supplier.code }, 'a supplier did not list its numbers')
    return
  }
  ctx.metrics.supplierCalls.inc({ supplier: supplier.code, call: 'list', result: 'ok' })
  const offers = result.offers.filter(isSellable).slice(0, MAX_OFFERS)
  if (!ctx.catalog.setOffers(supplier.id, offers)) return
  await replaceOffers(ctx.db, { supplierId: supplier.id, offers, now: ctx.clock.now() })
}

function isSellable(offer: Offer): boolean {
  return offer.stock >= 0 && offer.costMicros >= 0n && offer.operator !== '' && offer.operator !== 'any'
}
