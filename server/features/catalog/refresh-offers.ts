import { ANY_OPERATOR } from '#contract/catalog.ts'
import { MICROS_PER_UNIT } from '#contract/money.ts'
import { SECOND } from '#contract/time.ts'
import type { Context } from '#server/context.ts'
import type { Offer, Supplier } from '#server/suppliers/supplier.ts'
import { listOfferRows, replaceOffers } from './queries.ts'

/** Listing a supplier's whole stock may take this long; then the last known stock stands. */
const LIST_TIMEOUT_MS = 20 * SECOND
/** More offers than every service in every country of a large supplier has; the rest is left out. */
const MAX_OFFERS = 500_000
/** More than anybody has; above it a number would not fit its column. */
const MAX_STOCK = 1_000_000_000
const MAX_COST_MICROS = 1_000_000n * MICROS_PER_UNIT
/** As long as a purchase may name it, and without what no database stores. */
const OPERATOR_PATTERN = /^[^\0]{1,60}$/

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
  // Told twice, an offer counts as it was told last.
  const byKey = new Map(result.offers.filter(isSellable).map((offer) => [keyOf(offer), offer]))
  const offers = [...byKey.values()].slice(0, MAX_OFFERS)
  if (!ctx.catalog.setOffers(supplier.id, offers)) return
  await replaceOffers(ctx.db, { supplierId: supplier.id, offers, now: ctx.clock.now() })
}

/** One offer that cannot be stored must not keep the others from being sold. */
function isSellable(offer: Offer): boolean {
  const { stock, costMicros, operator } = offer
  const counted = Number.isInteger(stock) && stock >= 0 && stock <= MAX_STOCK
  const priced = costMicros >= 0n && costMicros <= MAX_COST_MICROS
  return counted && priced && OPERATOR_PATTERN.test(operator) && operator !== ANY_OPERATOR
}

function keyOf(offer: Offer): string {
  return JSON.stringify([offer.serviceCode, offer.countryId, offer.operator])
}
