import type { PricedOffer } from '#server/catalog/offers/catalog-index.ts'
import type { Quote } from '#server/catalog/prices/quote.ts'
import type { Context } from '#server/context.ts'
import { orderCandidates, type Routed } from './order-candidates.ts'

/** Named in the line that explains the decision. */
const MOST_NAMED = 4

/** `route` explains the order in one line; null: there was nothing to decide. */
export type RoutedQuote = Quote & { route: string | null }

/** Orders offers of one price by what a code is expected to cost. Without any outcome or weight their order stands. */
export function routeQuote(ctx: Context, quote: Quote, userId: number): RoutedQuote {
  const now = ctx.clock.now()
  const { candidates } = quote
  const known = candidates.map((offer) => {
    const { weightPercent } = ctx.routes.ruleOf(offer.supplierId)
    const cost = Number(ctx.catalog.convert(offer.costMicros, offer.currency, 'rub'))
    return { offer, cost, weightPercent, counts: ctx.routes.countsOf({ ...offer, userId }, now) }
  })
  const isOpen = known.some(({ counts, weightPercent }) => counts !== null || weightPercent !== 100)
  const isFirst = ({ offer }: { offer: PricedOffer }) => ctx.health.slotOf(offer.supplierId) === 'open'
  if (known.length < 2 || !isOpen || known.some(isFirst)) return { ...quote, route: null }
  const routed = orderCandidates(ctx.random, known)
  const may = ({ offer }: { offer: PricedOffer }) => ctx.routes.mayBuy(offer.supplierId, now)
  const [best, ...rest] = [...routed.filter(may), ...routed.filter((one) => !may(one))]
  if (best === undefined) return { ...quote, route: null }
  const offers = rest.map(({ offer }) => offer)
  return { ...quote, candidates: [best.offer, ...offers], route: explain(ctx, [best, ...rest]) }
}

function explain(ctx: Context, routed: readonly Routed<PricedOffer>[]): string {
  const named = routed.slice(0, MOST_NAMED).map(({ offer, cost, chance, counts, weightPercent }) => {
    const supplier = ctx.suppliers.get(offer.supplierId)?.code ?? offer.supplierId
    const sample =
      counts === null ? 'new' : `${Math.round(counts.codes)} of ${Math.round(counts.codes + counts.failures)}`
    const weight = weightPercent === 100 ? '' : `, weight ${weightPercent} %`
    return `${supplier}/${offer.operator} ${(cost / 1_000_000).toFixed(2)} rub, chance ${chance.toFixed(2)} (${sample})${weight}`
  })
  return `${named.join('; ')}${routed.length > MOST_NAMED ? `; and ${routed.length - MOST_NAMED} more` : ''}`
}
