import { DAY } from '#contract/time.ts'
import { catalogOf } from '#server/core/catalog/offers/catalog-index.ts'
import { type Quote, quoteOffer } from '#server/core/catalog/prices/quote.ts'
import { suppliersOf } from '#server/core/suppliers/running-suppliers.ts'
import type { Context } from '#server/house/context.ts'
import type { ActivationRow } from './queries/row.ts'

/** The time in which an ended number can be bought again. Suppliers have usually given up older numbers. */
export const REPEAT_WITHIN_MS = 30 * DAY

export type Repeatable = Pick<
  ActivationRow,
  'state' | 'money' | 'currency' | 'service_code' | 'country_id' | 'operator' | 'supplier_id' | 'phone' | 'ended_at'
>

/** Returns true if the buyer may be offered to buy the same number again. The supplier may still refuse. */
export function canRepeat(ctx: Context, row: Repeatable): boolean {
  return quoteRepeat(ctx, row) !== undefined
}

/**
 * Returns the price for buying an activation's number again from the same supplier and operator, even if sold out.
 * Returns undefined if no code was paid for or too much time has passed. Returns undefined also if country or supplier
 * forbids repeats, or if the offer is gone or would be sold below cost.
 */
export function quoteRepeat(ctx: Context, row: Repeatable): Quote | undefined {
  if (row.state !== 'finished' || row.money !== 'captured') return undefined
  if (row.phone === null || row.operator === null || row.ended_at === null) return undefined
  if (ctx.clock.now().getTime() - row.ended_at.getTime() >= REPEAT_WITHIN_MS) return undefined
  if (catalogOf(ctx).countries.get(row.country_id)?.retry !== true) return undefined
  if (suppliersOf(ctx).get(row.supplier_id)?.repeats !== true) return undefined
  const { service_code: serviceCode, country_id: countryId, operator } = row
  const offer = catalogOf(ctx).offerOf(row.supplier_id, { serviceCode, countryId, operator })
  return offer === undefined ? undefined : quoteOffer(catalogOf(ctx), offer, row.currency)
}
