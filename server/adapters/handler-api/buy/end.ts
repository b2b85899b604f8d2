import { deliverLate, endOrder, type SoldOrder } from '#server/adapters/shared/resold/end.ts'
import { beginRound, hasMessages, markRoundTaken } from '#server/adapters/shared/resold/queries/orders.ts'
import type { Ending, HeldNumber } from '#server/core/suppliers/supplier.ts'
import type { Reply } from '../wire/read-reply.ts'
import { meaningOf } from '../wire/words.ts'
import type { Account } from './account.ts'
import { askStatus } from './status.ts'

const ANOTHER = '3'
const FINISH = '6'
const CANCEL = '8'

/** Ends a number at the supplier. Throws until the supplier accepts the end, so that the job retries. */
export async function endNumber(
  account: Account,
  number: HeldNumber,
  ending: Ending,
  signal: AbortSignal,
): Promise<void> {
  const status = ending === 'finished' ? FINISH : CANCEL
  await endOrder(account, number, ending, async (order) => {
    const reply = await setStatus(account, { id: order.activationId, status, signal })
    return ending === 'finished' ? takeFinish(reply) : takeCancel(account, { order, reply, signal })
  })
}

async function setStatus(
  { ask }: Account,
  { id, status, ...how }: { id: string; status: string; signal: AbortSignal; wisher?: string },
): Promise<Reply> {
  return ask({ action: 'setStatus', parameters: { id, status }, ...how })
}

/** Throws unless the reply shows a final state. Returns false, for no loss, because the buyer paid for the message. */
function takeFinish(reply: Reply): false {
  const meaning = meaningOf(reply.word)
  const isOver = meaning === 'no-activation' || meaning === 'over' || meaning === 'not-now'
  if (reply.word === 'ACCESS_ACTIVATION' || isOver) return false
  throw new Error(`a finish was answered with ${reply.word ?? `status ${reply.status}`}`)
}

/** Returns true if the supplier charged a message that our buyer did not pay for. */
async function takeCancel(
  account: Account,
  { order, reply, signal }: { order: SoldOrder; reply: Reply; signal: AbortSignal },
): Promise<boolean> {
  if (reply.word === 'ACCESS_CANCEL') return false
  const meaning = meaningOf(reply.word)
  if (meaning === 'too-early') throw new Error('the supplier lets nobody cancel so early')
  // DaisySMS answers ACCESS_READY if an activation is cancelled after its code.
  const mayHoldCode = meaning === 'has-code' || meaning === 'not-now' || reply.word === 'ACCESS_READY'
  const isGone = meaning === 'no-activation' || meaning === 'over'
  if (!mayHoldCode && !isGone) {
    throw new Error(`a cancellation was answered with ${reply.word ?? `status ${reply.status}`}`)
  }
  const isKept = await keepLateCode(account, order, signal)
  if (meaning === 'has-code' || isKept) return true
  // Most services tell nothing about an ended activation, but charge for a message that they counted.
  return isGone && hasMessages(account.ctx.db, { supplierId: account.supplierId, ...order })
}

async function keepLateCode(account: Account, order: SoldOrder, signal: AbortSignal): Promise<boolean> {
  const { reference, activationId, phone } = order
  if (phone === null) return false
  const { isOver, messages } = await askStatus(account, { reference, activationId }, signal)
  await deliverLate(account, order, messages)
  if (!isOver) await setStatus(account, { id: activationId, status: FINISH, signal })
  return messages.length > 0
}

/** Asks the supplier for another code. Returns false if the supplier refuses, or if the number is not open. */
export async function askForAnother(
  account: Account,
  { reference }: HeldNumber,
  signal: AbortSignal,
): Promise<boolean> {
  const { ctx, supplierId } = account
  const number = account.open.get(reference)
  if (number === undefined) return false
  const rounds = await beginRound(ctx.db, { supplierId, reference })
  if (rounds === null) return false
  Object.assign(number, { rounds, roundTaken: false })
  const reply = await setStatus(account, { id: number.activationId, status: ANOTHER, signal, wisher: 'another code' })
  if (reply.word === 'ACCESS_RETRY_GET') {
    await markRoundTaken(ctx.db, { supplierId, reference, rounds })
    const nowMs = performance.now()
    Object.assign(number, { roundTaken: true, roundSinceMs: nowMs, wantedSinceMs: nowMs })
    account.wakePoll()
    return true
  }
  const meaning = meaningOf(reply.word)
  if (meaning === 'not-now' || meaning === 'no-activation' || meaning === 'over') return false
  throw new Error(`a request for another code was answered with ${reply.word ?? `status ${reply.status}`}`)
}
