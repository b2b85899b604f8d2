import type { Context } from '#server/house/context.ts'
import { notFound } from '#server/house/errors/errors.ts'
import { findActivation } from '../activations/queries/read.ts'
import type { ActivationRow } from '../activations/queries/row.ts'
import { buyActivation } from './buy.ts'
import type { AnotherPurchase } from './purchase.ts'

/** The maximum number of excluded prefixes. Above it the oldest are dropped, so that some numbers stay allowed. */
const MAX_EXCLUDED_PREFIXES = 50

/**
 * Cancels a waiting number and buys another number with the refund. Allowed whenever a cancel is. Throws the errors of
 * cancelActivation and buyActivation, and then the old number stays. If no supplier has another number, the old number
 * is cancelled all the same, and NO_NUMBERS names it in `data.cancelled`.
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
