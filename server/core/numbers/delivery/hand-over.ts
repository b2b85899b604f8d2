import { announceNotice, announceSms } from '#server/core/numbers/activations/announce.ts'
import { giveSms } from '#server/core/numbers/activations/queries/sms.ts'
import { senderBookOf } from '#server/core/numbers/messages/sender-book.ts'
import { announceRentalSms } from '#server/core/numbers/rentals/announce.ts'
import { giveRentalSms } from '#server/core/numbers/rentals/queries/sms.ts'
import type { Context } from '#server/house/context.ts'
import { isTogether } from '#server/house/nodes/node.ts'
import { contextOfOrder } from '#server/house/sandbox.ts'
import { type Choice, chooseOwner } from '../ownership/choose-owner.ts'
import { MAX_HELD, messageQueueOf, REMEMBERED_MS } from './message-queue.ts'
import { findClaims } from './queries/claims.ts'
import { listHeldPhones } from './queries/held.ts'
import { keepLate } from './queries/store.ts'
import { listLeftUnmatched, listUnmatched, type UnmatchedMessage } from './queries/unmatched.ts'
import { readStored } from './read-stored.ts'

/** The maximum number of messages before a purchase is settled. A number with more of them gets spam, not codes. */
const MAX_EARLY = 50
const LEFT_SCANNED = 20_000
const LEFT_LIMIT = 1_000

/** Marks all held numbers at start, so that their messages do not queue behind messages that nobody awaits. */
export async function noteHeldNumbers(ctx: Context): Promise<void> {
  for (const phone of await listHeldPhones(ctx.db, { limit: MAX_HELD })) messageQueueOf(ctx).noteHeld(phone)
}

type Settled = { supplier_id: number; phone: string | null; created_at: Date }

/**
 * Gives an order the messages that came before its purchase was settled. Receipt and handover use the same queue of the
 * number, so no message is missed between them. If the handover fails, `handOverLeft` repeats it later.
 */
export async function handOverEarly(ctx: Context, order: Settled): Promise<void> {
  const { supplier_id: supplierId, phone, created_at: since } = order
  if (phone === null) return
  messageQueueOf(ctx).noteHeld(phone)
  const isOld = since.getTime() <= ctx.clock.now().getTime() - REMEMBERED_MS
  // Another node may have stored a message, of which this node's memory knows nothing.
  if (!isOld && !isTogether(ctx) && !messageQueueOf(ctx).mayBeUnmatched(phone)) return
  try {
    await messageQueueOf(ctx).run(phone, () => handOverSince(ctx, { supplierId, phone, since }))
  } catch (error) {
    ctx.log.warn({ error, supplierId }, 'early messages could not be handed over yet')
  }
}

/**
 * Gives the holder of a number its unmatched messages since a time. Must run in the queue of the number. Returns how many
 * messages found an order.
 */
export async function handOverSince(
  ctx: Context,
  number: { supplierId: number; phone: string; since: Date },
): Promise<number> {
  let given = 0
  for (const message of await listUnmatched(ctx.db, { ...number, now: ctx.clock.now(), limit: MAX_EARLY })) {
    if (await handOver(ctx, message)) given += 1
  }
  return given
}

/**
 * Gives all orders the messages that came before their purchases were settled. Runs periodically and at start, because
 * a crash may come between a settlement and its handover. Messages are judged as of their arrival, and a doubtful
 * message stays unmatched. Returns how many messages found an order.
 */
export async function handOverLeft(ctx: Context, input: { since: Date }): Promise<number> {
  const left = await listLeftUnmatched(ctx.db, {
    ...input,
    now: ctx.clock.now(),
    scanned: LEFT_SCANNED,
    limit: LEFT_LIMIT,
  })
  let count = 0
  for (const message of left) {
    const world = contextOfOrder(ctx, message.supplierId)
    messageQueueOf(world).noteHeld(message.phone)
    if (await messageQueueOf(world).run(message.phone, () => handOver(world, message))) count += 1
  }
  return count
}

async function handOver(ctx: Context, message: UnmatchedMessage): Promise<boolean> {
  const claims = await findClaims(ctx.db, message)
  const reading = readStored(senderBookOf(ctx), message)
  const toldCode = message.reference === null ? null : message.code
  const choice = chooseOwner({ ...message, reading, toldCode }, claims, senderBookOf(ctx))
  if (choice.to === null) return false
  if (choice.given === 'late') return keepLate(ctx.db, { id: message.id, to: choice.to, code: choice.code })
  return give(ctx, message, choice)
}

async function give(
  ctx: Context,
  message: UnmatchedMessage,
  { given, to, code, isNotice }: Exclude<Choice, { to: null } | { given: 'late' }>,
): Promise<boolean> {
  const { id, sender, text, receivedAt, naming } = message
  const shown = { id, sender, body: text, code, received_at: receivedAt, late: false, withheld: false }
  const input = { id, from: ['unmatched'], code, given, now: ctx.clock.now() }
  if (to.kind === 'rental') {
    if (!(await giveRentalSms(ctx.db, { ...input, rentalId: to.id }))) return false
    await announceRentalSms(ctx, to.id, shown)
    return true
  }
  const activation = await giveSms(ctx.db, { ...input, activationId: to.id, isNotice, sender, naming })
  if (activation === null) return false
  if (given === 'notice') await announceNotice(ctx, activation.id)
  else await announceSms(ctx, activation, shown)
  return true
}
