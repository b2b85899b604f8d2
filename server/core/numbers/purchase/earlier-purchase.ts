import type { Repeat } from '#server/core/numbers/sourcing/hold-once.ts'
import { ALL_ATTEMPTS_MS } from '#server/core/numbers/sourcing/source-number.ts'
import { reservingOf } from '#server/core/numbers/sourcing/under-way.ts'
import { waitUntilSettled } from '#server/core/numbers/sourcing/wait-until-settled.ts'
import type { Context } from '#server/house/context.ts'
import { idempotencyConflict, inProgress } from '#server/house/errors/buying-errors.ts'
import { findAnyActivation, findByIdempotencyKey } from '../activations/queries/read.ts'
import type { ActivationRow } from '../activations/queries/row.ts'
import { noneFor, type Purchase } from './purchase.ts'

/** Returns the order of an earlier request with the same idempotency key, or null. Throws that request's error. */
export async function findEarlier(
  ctx: Context,
  purchase: Purchase,
  { key, inputHash }: Repeat,
): Promise<ActivationRow | null> {
  const earlier = await findByIdempotencyKey(ctx.db, { userId: purchase.userId, key })
  if (earlier === null) return null
  if (purchase.channel === 'handler_api') return outcomeOf(ctx, purchase, { earlier, inputHash })
  if (earlier.input_hash !== inputHash) throw idempotencyConflict()
  if (earlier.state === 'reserving') throw inProgress()
  if (earlier.state === 'failed') throw noneFor(purchase)
  return earlier
}

/**
 * Waits for the outcome of a pending order of handler_api, where a failed order counts as never made. Throws
 * IN_PROGRESS if only the next sweep can settle the order.
 */
async function outcomeOf(
  ctx: Context,
  purchase: Purchase,
  { earlier, inputHash }: { earlier: ActivationRow; inputHash: string },
): Promise<ActivationRow> {
  let row: ActivationRow | null = earlier
  if (earlier.state === 'reserving') {
    await waitUntilSettled(reservingOf(ctx), earlier.id, ALL_ATTEMPTS_MS)
    row = await findAnyActivation(ctx.db, earlier.id)
  }
  if (row === null || row.state === 'failed') throw noneFor(purchase)
  if (row.state === 'reserving') throw inProgress()
  if (row.input_hash !== inputHash) throw idempotencyConflict()
  return row
}

/** Returns the parameters that a repeated request with the same idempotency key must have too. */
export function inputOf(purchase: Purchase): unknown[] {
  const { serviceCode, countryId, operator, source, shownPriceMicros, maxPriceMicros, excludedPrefixes = [] } = purchase
  const input = [serviceCode, countryId, operator, shownPriceMicros?.toString(), maxPriceMicros?.toString()]
  // Optional parameters are added only if present, because the hash of a simple purchase must never change.
  if (source?.from === 'offers' && source.operatorFallback) input.push('or any operator')
  if (excludedPrefixes.length > 0) input.push(`without ${excludedPrefixes.toSorted().join()}`)
  if (source?.from === 'replaced') input.push(`replaces ${source.row.id}`)
  if (source?.from === 'repeated') input.push(`repeats ${source.row.id}`)
  return input
}
