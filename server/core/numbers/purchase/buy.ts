import { throwHoldRefusal } from '#server/core/numbers/limits/throw-hold-refusal.ts'
import { holdOnce } from '#server/core/numbers/sourcing/hold-once.ts'
import type { Context } from '#server/house/context.ts'
import { refusalToGiveBack } from '../activations/cancel.ts'
import { ACTIVATION_ORDER } from '../activations/order.ts'
import { findActivation } from '../activations/queries/read.ts'
import type { ActivationRow } from '../activations/queries/row.ts'
import { completeOrder } from './complete-order.ts'
import { findEarlier, inputOf } from './earlier-purchase.ts'
import { holdPurchase } from './hold-purchase.ts'
import { pricePurchase } from './price-purchase.ts'
import { noneFor, type Purchase, repeatedBy, replacedBy } from './purchase.ts'

/**
 * Buys one number: holds the money, tries the suppliers and settles. `repeated` means that an earlier request with the
 * same idempotency key bought the number. Throws NO_NUMBERS, NO_BALANCE, PRICE_CHANGED, MAX_PRICE_TOO_LOW, BAD_SERVICE,
 * BAD_COUNTRY, BAD_OPERATOR, REPEAT_UNAVAILABLE, BLOCKED, BUYING_STOPPED, IDEMPOTENCY_CONFLICT, IN_PROGRESS,
 * PAIR_PAUSED, TOO_MANY_OPEN_NUMBERS or SPEND_LIMIT_REACHED. In the sandbox also throws TOO_MANY_REQUESTS and
 * SANDBOX_FULL; a replacement also throws the errors of cancelling. After IN_PROGRESS money is held, else none.
 */
export async function buyActivation(
  ctx: Context,
  purchase: Purchase,
): Promise<{ activation: ActivationRow; repeated: boolean }> {
  const { earlier, priced, held } = await holdOnce({
    key: purchase.idempotencyKey,
    input: inputOf(purchase),
    keyIndex: 'activations_idempotency',
    earlier: (repeat) => findEarlier(ctx, purchase, repeat),
    price: () => pricePurchase(ctx, purchase),
    hold: (offer, keyed) => holdPurchase(ctx, purchase, { offer, keyed }),
    explain: ({ priceMicros }) => explainPurchase(ctx, purchase, priceMicros),
    none: () => noneFor(purchase),
  })
  if (earlier !== null) return { activation: earlier, repeated: true }
  const { candidates } = priced
  const repeatOf = repeatedBy(purchase)?.phone ?? undefined
  const activation = await completeOrder(ctx, ACTIVATION_ORDER, { reserved: held, candidates, repeatOf })
  if (activation === null) throw noneFor(purchase)
  return { activation, repeated: false }
}

async function explainPurchase(ctx: Context, purchase: Purchase, priceMicros: bigint): Promise<void> {
  const replaces = replacedBy(purchase)
  if (replaces !== undefined) await explainNotReplaced(ctx, replaces)
  await throwHoldRefusal(ctx, { ...purchase, priceMicros, opensNumber: true, replaces })
}

/** Before the statement of a replacement ran, the old number may have got a code or ended. */
async function explainNotReplaced(ctx: Context, { id, user_id: userId }: ActivationRow): Promise<void> {
  const current = await findActivation(ctx.db, { id: Number(id), userId })
  if (current?.state !== 'waiting') throw refusalToGiveBack(ctx, current, ctx.clock.now())
}
