import { ANY_OPERATOR, type OperatorItem, type PriceReply } from '#contract/catalog.ts'
import { parseDecimal } from '#contract/money.ts'
import { catalogOf } from '#server/core/catalog/offers/catalog-index.ts'
import { measureOffers } from '#server/core/catalog/offers/measured.ts'
import type { Context } from '#server/house/context.ts'
import type { Caller } from '#server/house/http/caller.ts'

/**
 * Returns the price of a service in a country, and its operators. If the requested operator has no offers, returns the
 * price for any operator.
 */
export async function getPrice(
  ctx: Context,
  caller: Caller,
  wanted: { service_id: string; country_id: number; operator_id?: string | undefined },
): Promise<PriceReply> {
  const currency = caller.member?.currency ?? caller.zone.currency
  const service = catalogOf(ctx).services.get(wanted.service_id)
  const isSold = service !== undefined && service.blocked_at === null
  const offers = (isSold && catalogOf(ctx).pair(wanted.service_id, wanted.country_id)?.offers) || []
  const any: OperatorItem = {
    id: ANY_OPERATOR,
    name: ANY_OPERATOR,
    ...measureOffers(offers, currency),
  }
  const byOperator = Map.groupBy(offers, (offer) => offer.operator)
  const operators = [...byOperator].map(([id, group]) => ({ id, name: id, ...measureOffers(group, currency) }))
  const list: OperatorItem[] = [any, ...cheapestFirst(operators)]
  const chosen = list.find((operator) => operator.id === wanted.operator_id) ?? any
  return { status: true, data: { operators: list, price: chosen.price, count: chosen.count, currency } }
}

function cheapestFirst(operators: readonly OperatorItem[]): OperatorItem[] {
  const keyed = operators.map((operator) => ({ operator, micros: parseDecimal(operator.price ?? '') }))
  keyed.sort((a, b) => {
    if (a.micros === null || b.micros === null) return Number(a.micros === null) - Number(b.micros === null)
    if (a.micros !== b.micros) return a.micros < b.micros ? -1 : 1
    return (b.operator.success_share ?? -1) - (a.operator.success_share ?? -1)
  })
  return keyed.map(({ operator }) => operator)
}
