import type { Context } from '#server/house/context.ts'
import { repeatUnavailable } from '#server/house/errors/buying-errors.ts'
import { notFound } from '#server/house/errors/errors.ts'
import { findActivation } from '../activations/queries/read.ts'
import type { ActivationRow } from '../activations/queries/row.ts'
import { buyActivation } from './buy.ts'
import type { AnotherPurchase } from './purchase.ts'

export async function repeatActivation(ctx: Context, input: AnotherPurchase): Promise<ActivationRow> {
  return (await repeatPurchase(ctx, input)).activation
}

/**
 * Buys the number of an ended activation again, from the same supplier at the current price. `repeated` means that an
 * earlier request with the same idempotency key bought it. Throws NOT_FOUND, REPEAT_UNAVAILABLE (can-repeat.ts) or an
 * error of buyActivation.
 */
export async function repeatPurchase(
  ctx: Context,
  input: AnotherPurchase,
): Promise<{ activation: ActivationRow; repeated: boolean }> {
  const { userId, shownPriceMicros, maxPriceMicros, standingMaxMicros, idempotencyKey, apiKeyId } = input
  const { channel = 'site' } = input
  const repeats = await findActivation(ctx.db, { id: input.activationId, userId })
  if (repeats === null) throw notFound()
  if (repeats.phone === null) throw repeatUnavailable()
  return buyActivation(ctx, {
    userId,
    currency: repeats.currency,
    serviceCode: repeats.service_code,
    countryId: repeats.country_id,
    operator: repeats.operator,
    shownPriceMicros,
    maxPriceMicros,
    standingMaxMicros,
    source: { from: 'repeated', row: repeats },
    idempotencyKey,
    apiKeyId,
    channel,
  })
}
