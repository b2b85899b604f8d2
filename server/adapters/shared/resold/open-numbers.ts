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

/** Of one number and look; the next look goes on. */
export const MOST_MESSAGES = 50

/** Idempotent: each message has an id of its own, and what is stored is not stored again. */
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
    // Without an id, the earlier message would be taken for the one that was asked for.
    if (message.id === null && (isAgain || beganMs < number.roundSinceMs)) continue
    if (stopping.aborted) return
    if (stored === MOST_MESSAGES) break
    const received = await deliver(account, { ...number, message, id })
    stored += 1
    isJunk ||= received === 'junk'
    // Junk is judged again by the next look, in case it could not be given up.
    if (received === 'taken') number.delivered.add(id)
  }
  if (isJunk) await giveUp(account, number)
}

/**
 * The other counts as delivered what is no code here. Its order ends with the money back, and the job of that end cancels
 * it there; a code that came after the junk, and in the same look, has been taken, and then nothing ends.
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

/** Also of a number that is not open any more: then it is kept as late. */
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
 * Where the other numbers no messages: the same text is the same message, unless another code was asked for. Whether a
 * request that got no answer was taken is unknown, and then the text decides.
 */
export function idOf(number: Pick<OpenNumber, 'activationId' | 'rounds' | 'roundTaken'>, message: ReadMessage): string {
  const { activationId, rounds, roundTaken } = number
  if (message.id !== null) return `${activationId}:${message.id}`
  const round = roundTaken ? rounds : rounds - 1
  return `${activationId}:${round}:${createHash('sha256').update(message.text).digest('hex').slice(0, 16)}`
}

/** The other ended it before we did: without a code the buyer gets the money back. */
export async function closeByOther(account: ResoldAccount, number: OpenNumber): Promise<void> {
  const { ctx, supplierId } = account
  const { reference, expiresAt } = number
  const now = ctx.clock.now()
  // Both ends have come: ours is not a fault of the number.
  const isTimeOver = expiresAt !== null && expiresAt <= now
  if (!isTimeOver) await reportNumberUnusable(ctx, { supplierId, reference })
  await markEnded(ctx.db, { supplierId, reference, ending: null, isLoss: false, now })
  account.open.delete(reference)
}
