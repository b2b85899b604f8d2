import { createHash } from 'node:crypto'
import { receiveSms } from '#server/core/numbers/delivery/receive-sms.ts'
import { reportNumberUnusable } from '#server/core/numbers/refunds/report-unusable.ts'
import type { Received } from '#server/core/suppliers/supplier.ts'
import type { ResoldAccount } from './account.ts'
import type { OpenNumber } from './open-number.ts'
import { markEnded, markRoundTaken, type ResoldOrder } from './queries/orders.ts'
import type { ReadMessage } from './sold-number.ts'

export function keepOpen(account: ResoldAccount, order: ResoldOrder | OpenedOrder): void {
  const { reference, activationId, phone, expiresAt, rounds, roundTaken } = order
  if (activationId === null || phone === null || account.open.has(reference)) return
  account.open.set(reference, {
    reference,
    activationId,
    phone,
    expiresAt,
    rounds,
    roundTaken,
    roundSinceMs: 0,
    wantedSinceMs: performance.now(),
    delivered: new Set(),
    missed: 0,
  })
  account.wakePoll()
}

type Looked = { isAgain: boolean; messages: readonly ReadMessage[]; beganMs: number; stopping: AbortSignal }

type OpenedOrder = Pick<ResoldOrder, 'reference' | 'activationId' | 'phone' | 'expiresAt' | 'rounds' | 'roundTaken'>

/** The maximum number of messages that a poll stores for a number. The next poll stores more. */
export const MOST_MESSAGES = 50

/** Stores new messages of a number. A repeated call changes nothing, because each message is stored once by its id. */
export async function takeMessages(
  account: ResoldAccount,
  number: OpenNumber,
  { isAgain, messages, beganMs, stopping }: Looked,
): Promise<void> {
  let stored = 0
  let isJunk = false
  if (isAgain && !number.roundTaken) await noteRoundTaken(account, number)
  for (const message of messages) {
    const id = idOf(number, message)
    if (number.delivered.has(id)) continue
    // Messages without ids are skipped, because an earlier message could be taken for the requested one.
    if (message.id === null && (isAgain || beganMs < number.roundSinceMs)) continue
    if (stopping.aborted) return
    if (stored === MOST_MESSAGES) break
    const received = await deliver(account, { ...number, message, id })
    stored += 1
    isJunk ||= received === 'junk'
    // A junk message is judged again by the next poll, in case giving up the order fails.
    if (received === 'taken') number.delivered.add(id)
  }
  if (isJunk) await giveUp(account, number)
}

/**
 * Gives up an order whose supplier counts a message without a code as delivered. The buyer is refunded, and a job
 * cancels the order at the supplier. The order does not end if a code came after the junk in the same poll.
 */
async function giveUp({ ctx, supplierId, code }: ResoldAccount, { reference }: OpenNumber): Promise<void> {
  ctx.log.warn({ supplier: code, reference }, 'a supplier counts a message that is no code: its order is given up')
  await reportNumberUnusable(ctx, { supplierId, reference })
}

export async function noteRoundTaken(account: ResoldAccount, number: OpenNumber): Promise<void> {
  const { ctx, supplierId } = account
  await markRoundTaken(ctx.db, { supplierId, reference: number.reference, rounds: number.rounds })
  number.roundTaken = true
}

/** Stores a message of a number, as late if the number is no longer open. */
export async function deliver(
  { ctx, supplierId }: ResoldAccount,
  given: { reference: string; phone: string; message: ReadMessage; id: string },
): Promise<Received> {
  const { reference, phone, message, id: messageId } = given
  const { sender, text, code } = message
  return receiveSms(ctx, {
    supplierId,
    messageId,
    phone,
    sender,
    text,
    reference,
    ...(code !== null && { toldCode: code }),
  })
}

/**
 * Returns a message's id. If the supplier gives none, an equal text is the same message, unless another code was
 * requested. An equal text is still the same message if the reply to that request was lost, because the supplier may
 * have refused.
 */
export function idOf(number: Pick<OpenNumber, 'activationId' | 'rounds' | 'roundTaken'>, message: ReadMessage): string {
  const { activationId, rounds, roundTaken } = number
  if (message.id !== null) return `${activationId}:${message.id}`
  const round = roundTaken ? rounds : rounds - 1
  return `${activationId}:${round}:${createHash('sha256').update(message.text).digest('hex').slice(0, 16)}`
}

/** Closes an order that the supplier ended before we did. The buyer is refunded if there was no code. */
export async function closeByOther(account: ResoldAccount, number: OpenNumber): Promise<void> {
  const { ctx, supplierId } = account
  const { reference, expiresAt } = number
  const now = ctx.clock.now()
  // The activation has also expired in our own books, so the number is not at fault.
  const isTimeOver = expiresAt !== null && expiresAt <= now
  if (!isTimeOver) await reportNumberUnusable(ctx, { supplierId, reference })
  await markEnded(ctx.db, { supplierId, reference, ending: null, isLoss: false, now })
  account.open.delete(reference)
}
