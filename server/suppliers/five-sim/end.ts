import type { Ending, HeldNumber } from '#server/suppliers/supplier.ts'
import { deliver, idOf, MOST_MESSAGES } from '../resold/open-numbers.ts'
import { findOrder, markEnded, type ResoldOrder } from '../resold/queries/orders.ts'
import { type Account, checkOrder } from './account.ts'
import type { Answered } from './wire/ask.ts'
import { type FiveSimOrder, isOver, isRefunded, readOrder } from './wire/read-order.ts'
import { meaningOf, nameOf } from './words.ts'

const CALLS: Readonly<Record<Ending, 'finish' | 'cancel' | 'ban'>> = {
  finished: 'finish',
  cancelled: 'cancel',
  expired: 'cancel',
  unsold: 'cancel',
  used: 'ban',
}

/** Throws until the other has taken it: the job comes again. */
export async function endNumber(
  account: Account,
  { reference }: HeldNumber,
  ending: Ending,
  signal: AbortSignal,
): Promise<void> {
  const { ctx, supplierId } = account
  const order = await findOrder(ctx.db, { supplierId, reference })
  if (order === null || order.activationId === null) return
  const end = { supplierId, reference, ending, now: ctx.clock.now() }
  // Its answer to our finish got lost, and a look found it over.
  if (order.state === 'ended' && ending === 'finished') await markEnded(ctx.db, { ...end, isLoss: false })
  if (order.state !== 'open') return
  const call = CALLS[ending]
  const answered = await account.ask({ path: ['user', call, order.activationId], signal })
  const isLoss = call === 'finish' ? takeFinish(order, answered) : await takeBack(account, { order, answered, signal })
  await markEnded(ctx.db, { ...end, isLoss, now: ctx.clock.now() })
  account.open.delete(reference)
}

const readSame = ({ activationId }: ResoldOrder, { json }: Answered): FiveSimOrder | null => {
  const order = readOrder(json)
  return order?.activationId === activationId ? order : null
}

/** Whatever it has become there, it is over. Never a loss: the buyer paid. */
function takeFinish(order: ResoldOrder, answered: Answered): false {
  const after = readSame(order, answered)
  const meaning = meaningOf(answered)
  const isDone = meaning === 'no-order' || meaning === 'over' || meaning === 'no-sms'
  if (isDone || (after !== null && isOver(after))) return false
  throw new Error(`a finish was answered with ${nameOf(answered)}`)
}

type Back = { order: ResoldOrder; answered: Answered; signal: AbortSignal }

/** True: it charged a code after our buyer had the money back. */
async function takeBack(account: Account, { order, answered, signal }: Back): Promise<boolean> {
  const after = readSame(order, answered)
  if (after !== null && isOver(after)) {
    await keep(account, order, after)
    return after.messages.length > 0 && !isRefunded(after)
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

/** What came is kept as late. True: something was charged. */
async function finishLate(account: Account, order: ResoldOrder, signal: AbortSignal): Promise<boolean> {
  const id = order.activationId ?? ''
  const found = await checkOrder(account, id, signal)
  if (found === null) return false
  await keep(account, order, found)
  if (!isOver(found)) takeFinish(order, await account.ask({ path: ['user', 'finish', id], signal }))
  return found.messages.length > 0 && !isRefunded(found)
}

async function keep(account: Account, order: ResoldOrder, { messages }: FiveSimOrder): Promise<void> {
  const { reference, activationId, phone } = order
  if (activationId === null || phone === null) return
  for (const message of messages.slice(0, MOST_MESSAGES)) {
    await deliver(account, { reference, phone, message, id: idOf({ ...order, activationId }, message) })
  }
}

/** Messages come as long as the number is open: there is nothing to ask the other for. */
export function askForAnother(account: Account, { reference }: HeldNumber): boolean {
  const number = account.open.get(reference)
  if (number === undefined) return false
  number.wantedSinceMs = performance.now()
  account.wakePoll()
  return true
}
