import { MINUTE, SECOND } from '#contract/time.ts'
import { healthBookOf } from '#server/core/catalog/health/health-book.ts'
import { announceNotice, announceSms } from '#server/core/numbers/activations/announce.ts'
import { storePlainly, storeSms, type ToldActivation } from '#server/core/numbers/activations/queries/sms.ts'
import { maskPhone } from '#server/core/numbers/listing/mask-phone.ts'
import { MOST_WITHOUT_CODE } from '#server/core/numbers/listing/queries/folded.ts'
import { pendingMatchesOf } from '#server/core/numbers/messages/pending-matches.ts'
import { readMessage } from '#server/core/numbers/messages/reading.ts'
import { senderBookOf } from '#server/core/numbers/messages/sender-book.ts'
import { announceRentalSms } from '#server/core/numbers/rentals/announce.ts'
import { storeRentalSms } from '#server/core/numbers/rentals/queries/sms.ts'
import { suppliersOf } from '#server/core/suppliers/running-suppliers.ts'
import { type IncomingSms, NUMBER_HELD_MS, type Received } from '#server/core/suppliers/supplier.ts'
import type { Context } from '#server/house/context.ts'
import { isUniqueViolation } from '#server/house/db/constraint.ts'
import { isTogether } from '#server/house/nodes/node.ts'
import { logDone, underOwnId } from '#server/house/trace.ts'
import { type Choice, type Claim, chooseOwner, type Given, LATE_MS } from '../ownership/choose-owner.ts'
import type { NewMessage } from '../ownership/queries/message-row.ts'
import { handOverSince } from './hand-over.ts'
import { messageQueueOf } from './message-queue.ts'
import { readPlainCodes } from './plain-codes.ts'
import { findClaims } from './queries/claims.ts'
import { findSameSms, isFlooded, isReused, type Span, storeAside } from './queries/store.ts'
import { announceUnsure, forgetUnsure, noteUnsure } from './unsure-messages.ts'

/** The time within which the same text counts as a repeat, for messages without an id (docs/messages.md). */
const SAME_SMS_MS = 10 * SECOND
/** The maximum length of a stored text, in characters. A longer text is cut; ten SMS parts are shorter. */
const MAX_TEXT_LENGTH = 4_000
const MAX_SENDER_LENGTH = 64
const MAX_MESSAGE_ID_LENGTH = 200
const MAX_REFERENCE_LENGTH = 64
const MAX_CODE_LENGTH = 64
/** The maximum number of tries to choose an order, because the chosen order may end before the message is stored. */
const MAX_CHOICES = 5

/**
 * Receives a message from a supplier. Resolves after the commit, so the supplier may be acknowledged. Idempotent by
 * message id; without an id, by text within ten seconds, unless another code was requested. A message that arrives
 * before its purchase is settled is stored unmatched and handed over later (hand-over.ts).
 */
export async function receiveSms(ctx: Context, sms: IncomingSms): Promise<Received> {
  const message = tidySms(ctx, sms)
  // A message with an order reference is not junk, so it does not wait with messages for unheld numbers.
  const { run, runMessage } = messageQueueOf(ctx)
  const queued = message.reference === null ? runMessage : run
  // Messages of a number run one at a time; otherwise two copies could both be checked before either copy is stored.
  return queued(message.phone, () => underOwnId(ctx, () => receiveQueued(ctx, message, sms)))
}

type OnItsWay = Pick<IncomingSms, 'resentWithin' | 'cameAt'>

async function receiveQueued(ctx: Context, message: NewMessage, sms: OnItsWay): Promise<Received> {
  const now = ctx.clock.now()
  healthBookOf(ctx).noteSms(message.supplierId, now)
  const incoming = { ...message, receivedAt: sms.cameAt ?? now, storedAt: now }
  const stored = await store(ctx, incoming, sms).catch((error: unknown) => {
    noteUnsure(ctx, message, error)
    throw error
  })
  ctx.metrics.smsReceived.inc({ result: resultOf(stored) })
  if (stored === 'reused') tellReused(ctx, message.supplierId, now)
  if (stored === 'repeated' || stored === 'reused') {
    await announceUnsure(ctx, message)
    return receivedAs(ctx, message)
  }
  forgetUnsure(ctx, message)
  logMessage(ctx, message, stored)
  if (stored.given === 'unmatched') {
    messageQueueOf(ctx).noteUnmatched(message.phone)
    // Another node may have settled the purchase after the look for holders, and looked before this message was stored.
    const { supplierId, phone, receivedAt: since } = incoming
    if (isTogether(ctx) && (await handOverSince(ctx, { supplierId, phone, since })) > 0) return 'taken'
  }
  if (stored.isHeld) messageQueueOf(ctx).noteHeld(message.phone)
  // An order reference makes the query look up only that order, so another order may still hold the number.
  else if (message.reference === null) messageQueueOf(ctx).noteUnheld(message.phone)
  const { sender, reading } = message
  const { activation } = stored
  if (activation !== null && stored.given !== 'notice') {
    const { service_code: serviceCode, user_id: userId } = activation
    pendingMatchesOf(ctx).note(senderBookOf(ctx), { sender, naming: reading.naming, serviceCode, userId })
    if (suppliersOf(ctx).get(message.supplierId)?.sandbox !== true) noteFirstCode(ctx, activation, now)
  }
  await announce(ctx, incoming, stored)
  return UNOWNED.has(stored.given) ? receivedAs(ctx, message) : 'taken'
}

function noteFirstCode({ metrics }: Context, activation: ToldActivation, now: Date): void {
  if (activation.sms_count !== 1 || activation.code === null) return
  metrics.firstCode.observe((now.getTime() - activation.created_at.getTime()) / SECOND)
}

/** A repeated message is judged again, because a crash may have come between storing it and telling the supplier. */
async function receivedAs(ctx: Context, message: NewMessage): Promise<Received> {
  if (message.reference === null) return 'taken'
  const claims = await findClaims(ctx.db, message)
  const mayPay = claims.some(({ kind, endedAt, isPaid }) => kind === 'activation' && endedAt === null && !isPaid)
  return mayPay && UNOWNED.has(chooseOwner(message, claims, senderBookOf(ctx)).given) ? 'junk' : 'taken'
}

/** Logs a message without its text and sender, because the text may be a code, and the sender a person's number. */
function logMessage(ctx: Context, { supplierId, phone }: NewMessage, stored: Stored): void {
  const { given, messageId, activation, rentalId } = stored
  const rental = rentalId === null ? null : `rental:${rentalId}`
  const order = activation === null ? rental : `activation:${activation.id}`
  const supplier = suppliersOf(ctx).get(supplierId)?.code
  const fields = { messageId: messageId.toString(), supplier, phone: maskPhone(phone), result: given, order }
  logDone(ctx, fields, 'a message came')
}

/**
 * The result of storing a message. `activation` or `rentalId` is the order whose pages are updated; null if nobody was
 * charged. `isHeld` means that an order for the number is open.
 */
type Stored = {
  given: Given
  isHeld: boolean
  messageId: bigint
  code: string | null
  activation: ToldActivation | null
  rentalId: bigint | null
}

/**
 * The reason why a message was not stored. `reused` means that an earlier message with the same id has another text, so
 * the supplier reuses ids and a message is lost.
 */
type Dropped = 'repeated' | 'reused'

/** Warns that a supplier reuses message ids, at most once a minute, without a message's text or number. */
function tellReused(ctx: Context, supplierId: number, now: Date): void {
  const messages = healthBookOf(ctx).reusedIds.note(supplierId, now)
  if (messages === null) return
  const supplier = suppliersOf(ctx).get(supplierId)?.code
  ctx.log.warn({ supplier, messages }, 'messages were dropped: earlier ones of other words had their ids')
}

async function store(ctx: Context, message: NewMessage, sms: OnItsWay): Promise<Stored | Dropped> {
  const { resentWithin = null, cameAt } = sms
  try {
    // A simple message takes one statement. A delayed message may be older than the order, so it is judged in full.
    const isPlain = cameAt === undefined && message.reference === null
    const plain = isPlain ? await storePlain(ctx, message, resentWithin) : null
    return plain ?? (await judgeInFull(ctx, message, resentWithin)) ?? 'repeated'
  } catch (error) {
    if (!isUniqueViolation(error, 'messages_supplier_id_unique')) throw error
    return (await isReused(ctx.db, message)) ? 'reused' : 'repeated'
  }
}

async function storePlain(ctx: Context, message: NewMessage, resentWithin: Span | null): Promise<Stored | null> {
  const codes = readPlainCodes(senderBookOf(ctx), message.reading)
  const nobody = chooseOwner(message, [], senderBookOf(ctx))
  const plain = await storePlainly(ctx.db, {
    message,
    since: resentWithin?.from ?? before(message.receivedAt, SAME_SMS_MS),
    heldSince: before(message.receivedAt, NUMBER_HELD_MS),
    lateSince: before(message.receivedAt, LATE_MS),
    codes,
    nobody,
  })
  if (plain === null) return null
  const isHeld = plain.activation !== null
  return { ...plain, isHeld, given: isHeld ? 'only-holder' : nobody.given, rentalId: null }
}

/** Judges the message in full, and again if the order ended meanwhile. Returns null for a repeat. */
async function judgeInFull(ctx: Context, message: NewMessage, resentWithin: Span | null): Promise<Stored | null> {
  for (let choices = 1; ; choices += 1) {
    const [claims, sameAt] = await Promise.all([
      findClaims(ctx.db, message),
      // If a supplier's ids are reliable, two ids mean two messages, even with the same text.
      message.byContent ? findSame(ctx, message, resentWithin) : null,
    ])
    const choice = chooseOwner(message, choices === MAX_CHOICES ? [] : claims, senderBookOf(ctx))
    const askedAt = choice.to?.againAskedAt
    if (sameAt !== null && (askedAt == null || askedAt <= sameAt)) return null
    const stored = await storeFor(ctx, message, choice)
    const isHeld = claims.some(({ endedAt }) => endedAt === null)
    if (stored !== null) return { ...stored, isHeld }
  }
}

function findSame(ctx: Context, message: NewMessage, span: Span | null): Promise<Date | null> {
  return findSameSms(ctx.db, { message, since: before(message.receivedAt, SAME_SMS_MS), span })
}

/** Returns null if the order ended after the choice or was charged meanwhile. */
async function storeFor(ctx: Context, message: NewMessage, choice: Choice): Promise<Omit<Stored, 'isHeld'> | null> {
  const { to, code } = choice
  // A message whose code we cannot read (messages/offers.ts) charges too, so it is never folded into a summary.
  const mayFold = to !== null && choice.given !== 'late' && code === null && (choice.isNotice || to.kind === 'rental')
  const isFolded = mayFold && (await isFloodedBy(ctx, message, to))
  const given = isFolded ? 'folded' : choice.given
  if (to === null || isFolded || choice.given === 'late') {
    const messageId = await storeAside(ctx.db, { message, given, to, code })
    return { given, messageId, code, activation: null, rentalId: null }
  }
  if (to.kind === 'rental') {
    const stored = await storeRentalSms(ctx.db, { message, rentalId: to.id, code, given })
    return stored && { ...stored, given, code, activation: null, rentalId: to.id }
  }
  const { isNotice } = choice
  const stored = await storeSms(ctx.db, { message, activationId: to.id, code, given, isNotice })
  return stored && { ...stored, given, code, rentalId: null }
}

function isFloodedBy(ctx: Context, { receivedAt }: NewMessage, to: Claim): Promise<boolean> {
  return isFlooded(ctx.db, { to, since: before(receivedAt, MINUTE), most: MOST_WITHOUT_CODE })
}

async function announce(ctx: Context, message: NewMessage, stored: Stored): Promise<void> {
  const { messageId: id, code, activation, rentalId } = stored
  if (activation !== null && stored.given === 'notice') {
    await announceNotice(ctx, activation.id)
    return
  }
  const { sender, text: body, receivedAt } = message
  const shown = { id, sender, body, code, received_at: receivedAt, late: false, withheld: false }
  if (activation !== null) await announceSms(ctx, activation, shown)
  if (rentalId !== null) await announceRentalSms(ctx, rentalId, shown)
}

function resultOf(stored: Stored | Dropped): string {
  if (stored === 'repeated' || stored === 'reused') return stored
  return CHARGING.has(stored.given) ? 'matched' : stored.given
}

/** Operator messages are left out: an operator greets every new SIM card, and a code may follow. */
const UNOWNED: ReadonlySet<Given> = new Set(['unmatched', 'junk'])
const CHARGING: ReadonlySet<Given> = new Set(['reference', 'named', 'only-holder'])

function before(at: Date, ms: number): Date {
  return new Date(at.getTime() - ms)
}

/** Cuts all fields to their maximum lengths and removes NUL, which PostgreSQL refuses in text. */
function tidySms(ctx: Context, sms: IncomingSms): NewMessage {
  const tidy = (value: string, length: number) => value.replaceAll('\0', '').slice(0, length).toWellFormed()
  const sender = tidy(sms.sender, MAX_SENDER_LENGTH)
  const text = tidy(sms.text, MAX_TEXT_LENGTH)
  const phone = sms.phone.replaceAll(/\D/g, '').slice(0, 20)
  const { notText, toldCode } = sms
  return {
    supplierId: sms.supplierId,
    messageId: sms.messageId === null ? null : tidy(sms.messageId, MAX_MESSAGE_ID_LENGTH),
    byContent: sms.messageId === null || sms.byContent === true,
    phone,
    sender,
    text,
    receivedAt: ctx.clock.now(),
    storedAt: ctx.clock.now(),
    reading: readMessage(senderBookOf(ctx), { sender, text, phone, ...(notText !== undefined && { notText }) }),
    toldCode: toldCode === undefined ? null : tidy(toldCode, MAX_CODE_LENGTH),
    reference: sms.reference === undefined ? null : tidy(sms.reference, MAX_REFERENCE_LENGTH),
  }
}
