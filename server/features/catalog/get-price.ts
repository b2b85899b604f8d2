import { ANY_OPERATOR, type OperatorItem, type PriceReply } from '#contract/catalog.ts'
import { badCountry, badService } from '#server/buying-errors.ts'
import type { Context } from '#server/context.ts'
import type { Caller } from '#server/http/caller.ts'
import { measureOffers } from './measured.ts'

/**
 * The price of a service in a country, and that of each operator. An operator that sells nothing here falls back to the
 * first, `any` (product.md section 4). Throws BAD_SERVICE, BAD_COUNTRY; out of stock is a price of null.
 */
export async function getPrice(
  ctx: Context,
  caller: Caller,
  wanted: { service_id: string; country_id: number; operator_id?: string | undefined },
): Promise<PriceReply> {
  const currency = caller.member?.currency ?? caller.zone.currency
  const service = ctx.catalog.services.get(wanted.service_id)
  if (service === undefined || service.blocked_at !== null) throw badService()
  if (!ctx.catalog.countries.has(wanted.country_id)) throw badCountry()
  const pair = ctx.catalog.pair(wanted.service_id, wanted.country_id)
  const offers = pair?.offers ?? []
  const any: OperatorItem = {
    id: ANY_OPERATOR,
    name: ANY_OPERATOR,
    ...measureOffers(offers, currency),
  }
  const byOperator = Map.groupBy(offers, (offer) => offer.operator)
  const operators = [...byOperator].map(([id, group]) => ({ id, name: id, ...measureOffers(group, currency) }))
  const list: OperatorItem[] = [any, ...operators]
  const chosen = list.find((operator) => operator.id === wanted.operator_id) ?? any
  return { status: true, data: { operators: list, price: chosen.price, count: chosen.count, currency } }
}
