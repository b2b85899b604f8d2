import { createHash } from 'node:crypto'
import type { ResoldAccount } from './account.ts'
import type { OpenNumber } from './open-number.ts'
import { markEnded, markRoundTaken, type ResoldOrder } from './queries/orders.ts'
import type { ReadMessage } from './sold-number.ts'

export function keepOpen(account: ResoldAccount, order: ResoldOrder | OpenedOrder): void {
  const { reference, activationId, phone, expiresAt, rounds, roundTaken } = order
  if (activationId === null || phone === null || account.open.has(reference)) return
  account.open.set(reference, {
    ...{ reference, activationId, phone, expiresAt, rounds, roundTaken, roundSinceMs: 0 },
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
  if (isAgain && !number.roundTaken) await noteRoundTaken(account, number)
  for (const message of messages) {
    const id = idOf(number, message)
    if (number.delivered.has(id)) continue
    // Without an id, the earlier message would be taken for the one that was asked for.
    if (message.id === null && (isAgain || beganMs < number.roundSinceMs)) continue
    if (stored === MOST_MESSAGES || stopping.aborted) return
    await deliver(account, { ...number, message, id })
    stored += 1
    number.delivered.add(id)
  }
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
): Promise<void> {
  const { reference, phone, message, id } = given
  await ctx.receiveSms({ supplierId, messageId: id, phone, sender: message.sender, text: message.text, reference })
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
  if (!isTimeOver) await ctx.reportUnusable({ supplierId, reference })
  await markEnded(ctx.db, { supplierId, reference, ending: null, isLoss: false, now })
  account.open.delete(reference)
}
