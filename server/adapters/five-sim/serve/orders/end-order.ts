import { cancelActivation, markActivationUsed } from '#server/core/numbers/activations/cancel.ts'
import { finishActivation } from '#server/core/numbers/activations/finish.ts'
import type { ActivationRow } from '#server/core/numbers/activations/queries/row.ts'
import type { Context } from '#server/house/context.ts'
import { json, word } from '../answer.ts'
import { buyCall, type FiveSimCall, readCall } from '../call.ts'
import { findOrder } from './find-order.ts'
import { orderTold } from './order-record.ts'

export const checkOrder = readCall('/user/check/:id', async (ctx, given, buyer) => {
  const order = await findOrder(ctx, buyer.userId, given)
  return order === null ? word('order not found', 404) : json(await orderTold(ctx, order, buyer))
})

export const finishOrder = endCall('finish', finishActivation)
export const cancelOrder = endCall('cancel', cancelActivation)
export const banOrder = endCall('ban', markActivationUsed)

type End = (ctx: Context, which: { activationId: number; userId: number }) => Promise<ActivationRow>

/** Makes the call that ends an order. A repeated call gets the reply of the first call. */
function endCall(name: string, end: End): FiveSimCall {
  return buyCall(`/user/${name}/:id`, async (ctx, given, buyer) => {
    const { userId } = buyer
    const order = await findOrder(ctx, userId, given)
    if (order === null) return word('order not found')
    if (order.kind === 'rental') return word('hosting order')
    const row = await end(ctx, { activationId: Number(order.row.id), userId })
    return json(await orderTold(ctx, { kind: 'activation', row }, buyer))
  })
}
