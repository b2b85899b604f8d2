import { readAmount } from '#server/adapters/shared/parameters/read-amount.ts'
import { catalogOf } from '#server/core/catalog/offers/catalog-index.ts'
import { listOpenPauses } from '#server/core/numbers/limits/queries.ts'
import type { Context } from '#server/house/context.ts'
import { idempotencyConflict } from '#server/house/errors/buying-errors.ts'
import { ANY, operatorSlug } from '#server/house/seed/slugs.ts'
import { type Answer, word } from '../answer.ts'
import type { Given } from '../call.ts'
import { namesOf } from '../names.ts'

export type Place = { country: number | typeof ANY; operator: string; product: string }

/** Reads country, operator and product from the path. Bad parts are refused in the same order as at 5sim. */
export function readPlace(ctx: Context, given: Given): Place | Answer {
  const catalog = catalogOf(ctx)
  const [country, operator, product] = [given.country, given.operator, given.product].map((part) => part?.toLowerCase())
  if (country === undefined) return word('select country')
  if (operator === undefined) return word('select operator')
  const found = country === ANY ? ANY : namesOf(catalog).countryOf(country)
  if (found === undefined) return word('bad country')
  return product === undefined ? word('no product') : { country: found, operator, product }
}

/** The chosen country and mobile operator. A null operator means any. */
export type Chosen = { countryId: number; operator: string | null }
type Earlier = { country_id: number; operator_wanted: string | null }

/**
 * Returns the country and operator that an earlier call with this idempotency key chose, because prices may have
 * changed. Returns null for a new key. Throws IDEMPOTENCY_CONFLICT if the path contradicts them.
 */
export function chosenBefore({ country, operator }: Place, earlier: Earlier | null): Chosen | null {
  if (earlier === null) return null
  const { country_id: countryId, operator_wanted: before } = earlier
  const isSame = before === null ? operator === ANY : operatorSlug(before) === operator
  if (!isSame || (country !== ANY && country !== countryId)) throw idempotencyConflict()
  return { countryId, operator: before }
}

export async function pausedIn(ctx: Context, userId: number, serviceCode: string): Promise<ReadonlySet<number>> {
  const pauses = await listOpenPauses(ctx.db, { userId, now: ctx.clock.now() })
  return new Set(pauses.filter((pause) => pause.serviceCode === serviceCode).map(({ countryId }) => countryId))
}

/** Returns the maximum price. An unreadable amount becomes 0, so that a typing error never removes the limit. */
export function ceilingOf({ maxPrice }: Given): bigint | undefined {
  if (maxPrice === undefined) return undefined
  return readAmount(maxPrice) ?? 0n
}
