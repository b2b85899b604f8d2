import type { Context } from '#server/context.ts'
import { cancelActivation, markActivationUsed } from '#server/numbers/activations/cancel.ts'
import { finishActivation } from '#server/numbers/activations/finish.ts'
import type { ActivationRow } from '#server/numbers/activations/queries/row.ts'
import { type Answer, json, word } from '../answer.ts'
import { buyCall, type FiveSimCall, readCall } from '../call.ts'
import { findOrder } from './find-order.ts'
import { type Order, orderRecords } from './order-record.ts'

export const checkOrder = readCall('/user/check/:id', async (ctx, given, { userId }) => {
  const order = await findOrder(ctx, userId, given)
  return order === null ? word('order not found', 404) : shown(ctx, order)
})

export const finishOrder = endCall('finish', finishActivation)
export const cancelOrder = endCall('cancel', cancelActivation)
export const banOrder = endCall('ban', markActivationUsed)

type End = (ctx: Context, which: { activationId: number; userId: number }) => Promise<ActivationRow>

/** A repeat answers the same. */
function endCall(name: string, end: End): FiveSimCall {
  return buyCall(`/user/${name}/:id`, async (ctx, given, { userId }) => {
    const order = await findOrder(ctx, userId, given)
    if (order === null) return word('order not found')
    if (order.kind === 'rental') return word('hosting order')
    return shown(ctx, { kind: 'activation', row: await end(ctx, { activationId: Number(order.row.id), userId }) })
  })
}

async function shown(ctx: Context, order: Order): Promise<Answer> {
  const [record] = await orderRecords(ctx, [order])
  return json(record)
}
