import { announceSms, showSms } from '#server/core/numbers/activations/announce.ts'
import { findAnyActivation } from '#server/core/numbers/activations/queries/read.ts'
import { giveSms } from '#server/core/numbers/activations/queries/sms.ts'
import { readSenderBook } from '#server/core/numbers/messages/load-senders.ts'
import { announceRentalSms, showRentalSms } from '#server/core/numbers/rentals/announce.ts'
import { findAnyRental } from '#server/core/numbers/rentals/queries/read.ts'
import { giveRentalSms } from '#server/core/numbers/rentals/queries/sms.ts'
import type { Context } from '#server/house/context.ts'
import type { Db } from '#server/house/db/pool.ts'
import { contextOfOrder } from '#server/house/sandbox.ts'
import { toStoredMessage } from '../ownership/queries/message-row.ts'
import { codeFor } from '../ownership/read-code.ts'
import { findGiven, findOrderOf, lockMessage } from './queries/unmatched.ts'
import { readStored } from './read-stored.ts'

const ATTACHABLE = ['unmatched', 'late', 'operator']

export type Attachment =
  | { outcome: 'attached'; userId: number; serviceCode: string; before: string }
  | { outcome: 'unknown-message' | 'unknown-order' | 'given-before' | 'other-number' | 'other-world' | 'ended' }

/**
 * Attaches a message by hand to an order of the same number. The order's first message captures the price. A late
 * message goes only to an order of the account that can read the message. Refuses an order that has ended. If the order
 * was made after the message, calls `doubt`, which throws to refuse. Runs in the caller's transaction.
 */
export async function attachMessage(
  tx: Db,
  input: {
    messageId: bigint
    order: { kind: 'activation' | 'rental'; id: bigint }
    doubt: (times: { receivedAt: Date; orderedAt: Date }) => void
    now: Date
  },
): Promise<Attachment> {
  const { messageId: id, order, doubt, now } = input
  const message = await lockMessage(tx, id)
  if (message === null) return { outcome: 'unknown-message' }
  if (!ATTACHABLE.includes(message.given)) return { outcome: 'given-before' }
  const found = await findOrderOf(tx, order)
  if (found === null) return { outcome: 'unknown-order' }
  if (found.phone !== message.phone) return { outcome: 'other-number' }
  if (found.play !== message.play) return { outcome: 'other-world' }
  // A code must never reach a second account.
  if (message.reader_id !== null && message.reader_id !== found.user_id) return { outcome: 'given-before' }
  const { received_at: receivedAt } = message
  const { created_at: orderedAt } = found
  if (receivedAt < orderedAt) doubt({ receivedAt, orderedAt })
  const stored = toStoredMessage(message)
  const code = codeFor(readStored(await readSenderBook(tx), stored), { serviceCode: found.service_code })
  const giving = { id, from: ATTACHABLE, code, given: 'by-hand', now }
  const given =
    order.kind === 'rental'
      ? await giveRentalSms(tx, { ...giving, rentalId: order.id })
      : (await giveSms(tx, { ...giving, ...stored, activationId: order.id, isNotice: false })) !== null
  if (!given) return { outcome: 'ended' }
  return { outcome: 'attached', userId: found.user_id, serviceCode: found.service_code, before: message.given }
}

/** Tells every node of a stored message. */
export async function announceAttached(ctx: Context, messageId: bigint): Promise<void> {
  const { message, activation } = await readAttached(ctx, messageId)
  if (message === null) return
  if (activation !== null) {
    await announceSms(contextOfOrder(ctx, activation.supplier_id), { ...activation, hooked: true }, message)
  }
  if (message.rental_id !== null) await announceRentalSms(ctx, message.rental_id, message)
}

/** Shows a stored message to the tabs and calls of this node alone. */
export async function showAttached(ctx: Context, messageId: bigint): Promise<void> {
  const { message, activation } = await readAttached(ctx, messageId)
  if (message === null) return
  if (activation !== null) await showSms(contextOfOrder(ctx, activation.supplier_id), activation, message)
  const rental = message.rental_id === null ? null : await findAnyRental(ctx.db, message.rental_id)
  if (rental !== null) await showRentalSms(ctx, rental, message)
}

async function readAttached({ db }: Context, messageId: bigint) {
  const message = await findGiven(db, messageId)
  if (message === null || message.given === 'late') return { message: null, activation: null }
  const activation = message.activation_id === null ? null : await findAnyActivation(db, message.activation_id)
  return { message: { ...message, late: false, withheld: false }, activation }
}
