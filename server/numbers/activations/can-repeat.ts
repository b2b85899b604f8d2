import { DAY } from '#contract/time.ts'
import type { PricedOffer } from '#server/catalog/offers/catalog-index.ts'
import type { Context } from '#server/context.ts'
import type { ActivationRow } from './queries/row.ts'

/** For so long after its end a number can be bought once more; suppliers let go of it at some time after. */
const REPEAT_WITHIN_MS = 30 * DAY

export type Repeatable = Pick<
  ActivationRow,
  'state' | 'money' | 'service_code' | 'country_id' | 'operator' | 'supplier_id' | 'phone' | 'ended_at'
>

/** Whether this ended activation's number can be bought once more by whoever had it. Its supplier may still say no. */
export function canRepeat(ctx: Context, row: Repeatable): boolean {
  return findRepeatOffer(ctx, row) !== undefined
}

/**
 * The offer by which it can: of the same supplier and operator, whatever its stock, because the number is no part of it.
 * undefined when no code was paid for, the time is over, or its country, supplier or service does not allow it (any more).
 */
export function findRepeatOffer(ctx: Context, row: Repeatable): PricedOffer | undefined {
  if (row.state !== 'finished' || row.money !== 'captured') return undefined
  if (row.phone === null || row.operator === null || row.ended_at === null) return undefined
  if (ctx.clock.now().getTime() - row.ended_at.getTime() >= REPEAT_WITHIN_MS) return undefined
  if (ctx.catalog.countries.get(row.country_id)?.retry !== true) return undefined
  if (ctx.suppliers.get(row.supplier_id)?.repeats !== true) return undefined
  const { service_code: serviceCode, country_id: countryId, operator } = row
  return ctx.catalog.offerOf(row.supplier_id, { serviceCode, countryId, operator })
}
