import { catalogOf } from '#server/core/catalog/offers/catalog-index.ts'
import { REPEAT_WITHIN_MS } from '#server/core/numbers/activations/can-repeat.ts'
import { findByIdempotencyKey } from '#server/core/numbers/activations/queries/read.ts'
import { repeatPurchase } from '#server/core/numbers/purchase/repeat.ts'
import type { Context } from '#server/house/context.ts'
import { idempotencyConflict } from '#server/house/errors/buying-errors.ts'
import { json, word } from '../answer.ts'
import { type Buyer, buyCall } from '../call.ts'
import { namesOf } from '../names.ts'
import { orderRecord, orderTold } from '../orders/order-record.ts'
import { findMaxPrice } from '../queries/max-prices.ts'
import { findLastFinished } from '../queries/orders.ts'
import { ceilingOf } from './wanted.ts'

const PHONE = /^\+?(\d{4,15})$/

/** Buys a finished order's number again, even if the order lacked `reuse`. The product's price limit applies. */
export const reuseNumber = buyCall('/user/reuse/:product/:number', async (ctx, given, buyer) => {
  const { userId, key, idempotencyKey } = buyer
  const serviceCode = namesOf(catalogOf(ctx)).serviceOf(given.product?.toLowerCase() ?? '')
  if (serviceCode === undefined) return word('no product')
  const phone = PHONE.exec(given.number ?? '')?.[1]
  if (phone === undefined) return word('reuse not possible')
  const earlier = await reusedBefore(ctx, buyer, { phone, serviceCode })
  const last = earlier === null ? await findLastFinished(ctx.db, { userId, phone, serviceCode }) : null
  const id = earlier ?? last?.id
  if (id === undefined) return word('reuse not possible')
  if (last !== null && ctx.clock.now().getTime() - last.ended_at.getTime() >= REPEAT_WITHIN_MS) {
    return word('reuse expired')
  }
  const { activation: row, repeated } = await repeatPurchase(ctx, {
    activationId: Number(id),
    userId,
    idempotencyKey,
    apiKeyId: key?.id ?? null,
    maxPriceMicros: ceilingOf(given),
    standingMaxMicros: (await findMaxPrice(ctx.db, { userId, serviceCode })) ?? undefined,
    channel: 'five_sim',
  })
  const order = { kind: 'activation', row } as const
  return json(repeated ? await orderTold(ctx, order, buyer) : orderRecord(ctx, order, null))
})

type Wish = { phone: string; serviceCode: string }

/**
 * Returns the id of the order whose number an earlier call with this idempotency key bought again. The number may have
 * a newer order by now. Returns null for a new idempotency key. Throws IDEMPOTENCY_CONFLICT if the earlier call was
 * another purchase.
 */
async function reusedBefore(ctx: Context, { userId, idempotencyKey: key }: Buyer, wish: Wish): Promise<bigint | null> {
  const earlier = key === undefined ? null : await findByIdempotencyKey(ctx.db, { userId, key })
  if (earlier === null) return null
  const isSame = earlier.service_code === wish.serviceCode && (earlier.phone === null || earlier.phone === wish.phone)
  if (!isSame || earlier.repeat_of === null) throw idempotencyConflict()
  return earlier.repeat_of
}
