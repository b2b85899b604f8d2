import { type Answer, json } from '../answer.ts'
import { readCall } from '../call.ts'
import { MAX_COUNTED, pageOf } from '../paging.ts'
import { countOrders, listActivationOrders, listRentalOrders } from '../queries/orders.ts'
import { orderRecords } from './order-record.ts'

/** Lists rentals for the category `hosting`, and activations for any other category. */
export const listOrders = readCall('/user/orders', async (ctx, given, { userId }) => {
  const wanted = { userId, ...pageOf(given) }
  const count = { userId, most: MAX_COUNTED }
  if (given.category?.toLowerCase() === 'hosting') {
    const rows = await listRentalOrders(ctx.db, wanted)
    const orders = rows.map((row) => ({ kind: 'rental', row }) as const)
    return page(await orderRecords(ctx, orders), await countOrders(ctx.db, 'rentals', count))
  }
  const rows = await listActivationOrders(ctx.db, wanted)
  const orders = rows.map((row) => ({ kind: 'activation', row }) as const)
  return page(await orderRecords(ctx, orders), await countOrders(ctx.db, 'activations', count))
})

function page(records: unknown[], total: number): Answer {
  return json({ Data: records, ProductNames: [], Statuses: [], Total: total })
}
