import type { Context } from '#server/house/context.ts'
import { notFound } from '#server/house/errors/errors.ts'
import { findActivation } from '../activations/queries/read.ts'
import type { ActivationRow } from '../activations/queries/row.ts'
import { buyActivation } from './buy.ts'
import type { AnotherPurchase } from './purchase.ts'

/** Above this the oldest prefixes are dropped, so that a replacement does not run out of allowed numbers. */
const MAX_EXCLUDED_PREFIXES = 50

/**
 * Cancels a waiting number and buys another with the refund. Allowed when cancelling is. Throws as cancelActivation and
 * buyActivation, and then the first number stays. If no supplier has another, the first is cancelled and NO_NUMBERS
 * names it in `data.cancelled`.
 */
export async function replaceActivation(ctx: Context, input: AnotherPurchase): Promise<ActivationRow> {
  const { userId, shownPriceMicros, idempotencyKey, apiKeyId } = input
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
    source: { from: 'replaced', row: replaces },
    idempotencyKey,
    apiKeyId,
    channel: 'site',
  })
  return activation
}
