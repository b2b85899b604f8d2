import type { Ending, HeldNumber } from '#server/core/suppliers/supplier.ts'
import type { ResoldAccount } from './account.ts'
import { deliver, idOf, MOST_MESSAGES } from './open-numbers.ts'
import { findOrder, hasMessages, markEnded, type ResoldOrder } from './queries/orders.ts'
import type { ReadMessage } from './sold-number.ts'

export type SoldOrder = ResoldOrder & { activationId: string }

/**
 * Ends an order at the supplier once. `tell` throws until the supplier accepts the end, so that the job retries. `tell`
 * returns true if the supplier charged a message that our buyer did not pay for.
 */
export async function endOrder(
  account: ResoldAccount,
  { reference }: Pick<HeldNumber, 'reference'>,
  ending: Ending,
  tell: (order: SoldOrder) => Promise<boolean>,
): Promise<void> {
  const { ctx, supplierId } = account
  const order = await findOrder(ctx.db, { supplierId, reference })
  if (order === null || order.activationId === null) return
  const sold = { ...order, activationId: order.activationId }
  // A poll found the order ended. Our finish got no reply, or the supplier ended the order and may have charged.
  const isOver = order.state === 'ended'
  if (order.state !== 'open' && (!isOver || order.ending !== null)) return
  const isTold = isOver && (ending === 'finished' || !(await hasMessages(ctx.db, { supplierId, ...sold })))
  const isLoss = isTold ? false : await tell(sold)
  await markEnded(ctx.db, { supplierId, reference, ending, isLoss, now: ctx.clock.now() })
  account.open.delete(reference)
}

/** Stores messages of an order that our tables already mark as ended, so that the messages count as late. */
export async function deliverLate(
  account: ResoldAccount,
  order: SoldOrder,
  messages: readonly ReadMessage[],
): Promise<void> {
  const { reference, phone } = order
  if (phone === null) return
  for (const message of messages.slice(0, MOST_MESSAGES)) {
    await deliver(account, { reference, phone, message, id: idOf(order, message) })
  }
}
