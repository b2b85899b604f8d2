import { DAY } from '#contract/time.ts'
import { catalogOf } from '#server/core/catalog/offers/catalog-index.ts'
import { type Quote, quoteOffer } from '#server/core/catalog/prices/quote.ts'
import { suppliersOf } from '#server/core/suppliers/running-suppliers.ts'
import type { Context } from '#server/house/context.ts'
import type { ActivationRow } from './queries/row.ts'

/**
 * The time after an activation's end in which its number can be bought again. After a longer time, suppliers have
 * usually given the number up.
 */
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
 * Returns the price for buying the same number again: the price of the same supplier's and operator's offer, even if
 * that offer has no stock. Returns undefined if no code was paid for or it is too late. Returns undefined also if the
 * country or the supplier forbids repeats, or the offer is gone or costs us more than its price.
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
