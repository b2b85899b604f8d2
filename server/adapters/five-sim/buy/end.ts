import { deliverLate, endOrder, type SoldOrder } from '#server/adapters/shared/resold/end.ts'
import type { Ending, HeldNumber } from '#server/core/suppliers/supplier.ts'
import type { Answered } from '../wire/ask.ts'
import { type FiveSimOrder, isOver, isRefunded, readOrder } from '../wire/read-order.ts'
import { meaningOf, nameOf } from '../wire/words.ts'
import { type Account, checkOrder } from './account.ts'

const CALLS: Readonly<Record<Ending, 'finish' | 'cancel' | 'ban'>> = {
  finished: 'finish',
  cancelled: 'cancel',
  expired: 'cancel',
  unsold: 'cancel',
  used: 'ban',
}

/** Ends a number at the supplier. Throws until the supplier accepts the end, so that the job retries. */
export async function endNumber(
  account: Account,
  number: HeldNumber,
  ending: Ending,
  signal: AbortSignal,
): Promise<void> {
  const call = CALLS[ending]
  await endOrder(account, number, ending, async (order) => {
    const answered = await account.ask({ path: ['user', call, order.activationId], signal })
    return call === 'finish' ? takeFinish(order, answered) : takeBack(account, { order, answered, signal })
  })
}

const readSame = ({ activationId }: SoldOrder, { json }: Answered): FiveSimOrder | null => {
  const order = readOrder(json)
  return order?.activationId === activationId ? order : null
}

/** Throws unless the reply shows a final state. Returns false, for no loss, because the buyer paid for the message. */
function takeFinish(order: SoldOrder, answered: Answered): false {
  const after = readSame(order, answered)
  const meaning = meaningOf(answered)
  const isDone = meaning === 'no-order' || meaning === 'over' || meaning === 'no-sms'
  if (isDone || (after !== null && isOver(after))) return false
  throw new Error(`a finish was answered with ${nameOf(answered)}`)
}

type Back = { order: SoldOrder; answered: Answered; signal: AbortSignal }

/** Returns true if the supplier charged a message that our buyer did not pay for. */
async function takeBack(account: Account, { order, answered, signal }: Back): Promise<boolean> {
  const after = readSame(order, answered)
  if (after !== null && isOver(after)) {
    const messages = after.messages()
    await deliverLate(account, order, messages)
    return messages.length > 0 && !isRefunded(after)
  }
  switch (meaningOf(answered)) {
    case 'has-sms':
      await finishLate(account, order, signal)
      return true
    case 'over':
    case 'no-order':
      return finishLate(account, order, signal)
    default:
      throw new Error(`a cancellation was answered with ${nameOf(answered)}`)
  }
}

/** Stores an ended order's messages as late ones. Returns true if the supplier charged the order. */
async function finishLate(account: Account, order: SoldOrder, signal: AbortSignal): Promise<boolean> {
  const id = order.activationId
  const found = await checkOrder(account, id, signal)
  if (found === null) return false
  const messages = found.messages()
  await deliverLate(account, order, messages)
  if (!isOver(found)) takeFinish(order, await account.ask({ path: ['user', 'finish', id], signal }))
  return messages.length > 0 && !isRefunded(found)
}

/** Brings the next poll forward. 5sim needs no request for another code, because an open number gets all messages. */
export function askForAnother(account: Account, { reference }: HeldNumber): boolean {
  const number = account.open.get(reference)
  if (number === undefined) return false
  number.wantedSinceMs = performance.now()
  account.wakePoll()
  return true
}
