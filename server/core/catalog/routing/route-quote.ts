import { healthBookOf } from '#server/core/catalog/health/health-book.ts'
import { catalogOf } from '#server/core/catalog/offers/catalog-index.ts'
import type { Quote } from '#server/core/catalog/prices/quote.ts'
import type { RentQuote } from '#server/core/catalog/prices/rent-quote.ts'
import { suppliersOf } from '#server/core/suppliers/running-suppliers.ts'
import type { Offer } from '#server/core/suppliers/supplier.ts'
import type { Context } from '#server/house/context.ts'
import { orderCandidates, type Routed } from './order-candidates.ts'
import { PRIOR, routeBookOf, usualSecondsOf } from './route-book.ts'

const MOST_NAMED = 4

/** `route` explains the order of candidates in one line; null if there was nothing to decide. */
export type RoutedQuote = Quote & { route: string | null }
export type RoutedRentQuote = RentQuote & { route: string | null }

type Sold = Offer & { supplierId: number }

/**
 * Sorts a quote's offers by the expected cost and time of a code. Without known outcomes, the sequence stays the same.
 */
export function routeQuote(ctx: Context, quote: Quote, userId: number): RoutedQuote {
  // A supplier that is due for a trial purchase already comes first.
  const isTried = quote.candidates.some(({ supplierId }) => healthBookOf(ctx).slotOf(supplierId) === 'open')
  const routed = isTried ? null : route(ctx, quote.candidates, { userId, rented: false })
  return routed === null ? { ...quote, route: null } : { ...quote, ...routed }
}

/**
 * Orders the offers of a rental quote by outcomes of rentals. Time is ignored, because renters receive messages at any
 * time.
 */
export function routeRentQuote(ctx: Context, quote: RentQuote, userId: number): RoutedRentQuote {
  const routed = route(ctx, quote.candidates, { userId, rented: true })
  return routed === null ? { ...quote, route: null } : { ...quote, ...routed }
}

function route<Offered extends Sold>(
  ctx: Context,
  candidates: readonly Offered[],
  { userId, rented }: { userId: number; rented: boolean },
): { candidates: [Offered, ...Offered[]]; route: string } | null {
  const now = ctx.clock.now()
  const known = candidates.map((offer) => {
    const { weightPercent } = routeBookOf(ctx).ruleOf(offer.supplierId)
    const cost = Number(catalogOf(ctx).convert(offer.costMicros, offer.currency, 'rub'))
    const { supplierId, serviceCode, countryId } = offer
    const counts = routeBookOf(ctx).countsOf({ supplierId, serviceCode, countryId, rented, userId }, now)
    return { offer, cost, weightPercent, counts, seconds: rented ? null : usualSecondsOf(counts ?? NOBODY) }
  })
  const isOpen = known.some(({ counts, weightPercent }) => counts !== null || weightPercent !== 100)
  if (known.length < 2 || !isOpen) return null
  const may = ({ offer }: { offer: Offered }) => routeBookOf(ctx).mayBuy(offer.supplierId, now)
  const routed = orderCandidates(ctx.random, known)
  const [best, ...rest] = [...routed.filter(may), ...routed.filter((one) => !may(one))]
  if (best === undefined) return null
  return { candidates: [best.offer, ...rest.map(({ offer }) => offer)], route: explain(ctx, [best, ...rest]) }
}

const NOBODY = { codes: 0, failures: 0, logSeconds: 0 }

function explain(ctx: Context, routed: readonly Routed<Sold>[]): string {
  const named = routed.slice(0, MOST_NAMED).map(({ offer, cost, chance, counts, weightPercent, seconds, isFaster }) => {
    const supplier = suppliersOf(ctx).get(offer.supplierId)?.code ?? offer.supplierId
    const sample =
      counts === null ? 'new' : `${Math.round(counts.codes)} of ${Math.round(counts.codes + counts.failures)}`
    const weight = weightPercent === 100 ? '' : `, weight ${weightPercent} %`
    const isTimed = seconds !== null && counts !== null && counts.codes >= PRIOR.codes
    const time = isTimed ? `, ${Math.round(seconds)} s` : ''
    const faster = isFaster ? ', faster at nearly the same cost' : ''
    return `${supplier}/${offer.operator} ${(cost / 1_000_000).toFixed(2)} rub, chance ${chance.toFixed(2)} (${sample})${time}${weight}${faster}`
  })
  return `${named.join('; ')}${routed.length > MOST_NAMED ? `; and ${routed.length - MOST_NAMED} more` : ''}`
}
