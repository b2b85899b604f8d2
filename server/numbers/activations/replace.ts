import type { Context } from '#server/context.ts'
import { notFound } from '#server/errors.ts'
import { buyActivation } from './buy.ts'
import type { AnotherPurchase } from './purchase.ts'
import { findActivation } from './queries/read.ts'
import type { ActivationRow } from './queries/row.ts'

/** Of what the buyer does not want; one who replaces again and again is not kept from ever getting a number. */
const MAX_EXCLUDED_PREFIXES = 50

/**
 * Gives a waiting number back and buys another of the same kind in one press: the price given back counts, and the same
 * number is not taken again. Allowed when cancelling is. Returns the new activation; the same key never buys a second one.
 * Throws what cancelActivation and buyActivation throw, after which the first number is still the buyer's; but when no
 * supplier has another, it is cancelled and its money given back, and NO_NUMBERS names it in `data.cancelled`.
 */
export async function replaceActivation(ctx: Context, input: AnotherPurchase): Promise<ActivationRow> {
  const { userId, shownPriceMicros, idempotencyKey } = input
  const replaces = await findActivation(ctx.db, { id: input.activationId, userId })
  if (replaces === null) throw notFound()
  const { activation } = await buyActivation(ctx, {
    userId,
    currency: replaces.currency,
    serviceCode: replaces.service_code,
    countryId: replaces.country_id,
    operator: replaces.operator_wanted,
    excludedPrefixes: [...replaces.excluded_prefixes, ...(replaces.phone === null ? [] : [replaces.phone])].slice(
      -MAX_EXCLUDED_PREFIXES,
    ),
    shownPriceMicros,
    replaces,
    idempotencyKey,
    channel: 'site',
  })
  return activation
}
