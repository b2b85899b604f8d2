import { REPEAT_WITHIN_MS } from '#server/numbers/activations/can-repeat.ts'
import { repeatActivation } from '#server/numbers/activations/repeat.ts'
import { json, word } from '../answer.ts'
import { buyCall } from '../call.ts'
import { namesOf } from '../names.ts'
import { orderRecord } from '../orders/order-record.ts'
import { findLastFinished } from '../queries/orders.ts'

const PHONE = /^\+?(\d{4,15})$/

/** The number of a finished order once more, whether or not it was bought with `reuse`. */
export const reuseNumber = buyCall(
  '/user/reuse/:product/:number',
  async (ctx, given, { userId, key, idempotencyKey }) => {
    const serviceCode = namesOf(ctx.catalog).serviceOf(given.product?.toLowerCase() ?? '')
    if (serviceCode === undefined) return word('no product')
    const phone = PHONE.exec(given.number ?? '')?.[1]
    const last = phone === undefined ? null : await findLastFinished(ctx.db, { userId, phone, serviceCode })
    if (last === null) return word('reuse not possible')
    if (ctx.clock.now().getTime() - last.ended_at.getTime() >= REPEAT_WITHIN_MS) return word('reuse expired')
    const row = await repeatActivation(ctx, {
      ...{ activationId: Number(last.id), userId, idempotencyKey, apiKeyId: key?.id ?? null },
      channel: 'five_sim',
    })
    return json(orderRecord(ctx, { kind: 'activation', row }, null))
  },
)
