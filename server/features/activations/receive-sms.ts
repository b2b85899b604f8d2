import { setTimeout as wait } from 'node:timers/promises'
import { SECOND } from '#contract/time.ts'
import type { Context } from '#server/context.ts'
import { isUniqueViolation } from '#server/db/constraint.ts'
import { extractCode, extractCodes } from '#server/features/messages/extract-code.ts'
import { announceRentalSms } from '#server/features/rentals/announce.ts'
import { findRenter, readRentalCode } from '#server/features/rentals/match-message.ts'
import { type RentedNumber, storeRentalSms } from '#server/features/rentals/queries/sms.ts'
import type { IncomingSms } from '#server/suppliers/supplier.ts'
import { announceSms } from './announce.ts'
import { listHolders, type NumberHolder } from './queries/read.ts'
import type { ShownActivation } from './queries/row.ts'
import { findSameSms, storeForOnlyHolder, storeSms } from './queries/sms.ts'

/** Without an id of its own, the same words from the same sender within this time are the same message (design.md, Incoming SMS). */
const SAME_SMS_MS = 10 * SECOND
/** Longer than any SMS of ten parts; the rest is cut, never refused. */
const MAX_TEXT_LENGTH = 4_000
const MAX_SENDER_LENGTH = 64
const MAX_MESSAGE_ID_LENGTH = 200
/** Activations looked at for one number: one per service is possible, this many are not. */
const MAX_HOLDERS = 20

/**
 * The one intake of messages, whoever the supplier is. Resolves after the commit, so the supplier may acknowledge then.
 * Safe to repeat: by the supplier's message id, else by content within ten seconds unless another code was asked for
 * in between. A message for a number nobody holds is kept for staff.
 */
export async function receiveSms(ctx: Context, sms: IncomingSms): Promise<void> {
  const clean = tidySms(sms)
  const held = inTurn.get(clean.phone) ?? Promise.resolve()
  // One number's messages are taken in turn: two copies that arrive together must not both look before either is stored.
  const mine = held.then(() => receiveInTurn(ctx, clean))
  const settled = mine.then(nothing, nothing)
  inTurn.set(clean.phone, settled)
  try {
    await mine
  } finally {
    if (inTurn.get(clean.phone) === settled) inTurn.delete(clean.phone)
  }
}

/** Together as long as a settled purchase may lag behind its number's first message. */
const LOOK_AGAIN_MS = 50
const MAX_LOOKS = 20

const inTurn = new Map<string, Promise<void>>()
const nothing = (): undefined => undefined

async function receiveInTurn(ctx: Context, sms: IncomingSms): Promise<void> {
  const now = ctx.clock.now()
  const stored = await store(ctx, sms, now)
  ctx.metrics.smsReceived.inc({ result: resultOf(stored) })
  if (stored === null) return
  const { messageId: id, code, activation, rentalId } = stored
  const message = { id, sender: sms.sender, body: sms.text, code, received_at: now }
  if (activation !== null) await announceSms(ctx, activation, message)
  if (rentalId !== null) await announceRentalSms(ctx, rentalId, message)
}

/** Both `activation` and `rentalId` are null when the message belongs to nobody. */
type Stored = {
  messageId: bigint
  code: string | null
  activation: ShownActivation | null
  rentalId: bigint | null
}

/** Nearly every message is for the one holder of its number: one statement tries that. Null: it was stored before. */
async function store(ctx: Context, sms: IncomingSms, now: Date): Promise<Stored | null> {
  const since = new Date(now.getTime() - SAME_SMS_MS)
  try {
    const plain = await storeForOnlyHolder(ctx.db, { ...sms, now, since, codes: extractCodes(sms.text) })
    return plain === null ? await lookCloser(ctx, sms, { now, since }) : { ...plain, rentalId: null }
  } catch (error) {
    if (!isUniqueViolation(error, 'messages_supplier_id_unique')) throw error
    return null
  }
}

/** Nobody or several hold the number, it is rented, the holder ended just now, or it may be a repeat. Null: it is one. */
async function lookCloser(
  ctx: Context,
  sms: IncomingSms,
  { now, since }: { now: Date; since: Date },
): Promise<Stored | null> {
  const [{ holders, renter }, sameAt] = await Promise.all([
    findHolders(ctx, sms),
    // Two ids are two messages, whatever they say: then only the id itself can be a repeat.
    sms.messageId === null ? findSameSms(ctx.db, { ...sms, since }) : null,
  ])
  const holder = chooseHolder(ctx, holders, sms)
  const askedSince = holder?.again_asked_at != null && sameAt !== null && holder.again_asked_at > sameAt
  if (sameAt !== null && !askedSince) return null
  if (holder === undefined && renter !== null) {
    const code = readRentalCode(ctx, renter.service_code, sms)
    return { ...(await storeRentalSms(ctx.db, { ...sms, rentalId: renter.id, code, now })), code, activation: null }
  }
  const code = extractCode(holder?.service_code ?? '', sms.text)
  return { ...(await storeSms(ctx.db, { ...sms, activationId: holder?.id ?? null, code, now })), code, rentalId: null }
}

function resultOf(stored: Stored | null): 'matched' | 'unmatched' | 'repeated' {
  if (stored === null) return 'repeated'
  return stored.activation === null && stored.rentalId === null ? 'unmatched' : 'matched'
}

type Holders = { holders: NumberHolder[]; renter: RentedNumber | null }

/**
 * Who holds the number, or has rented it. A fast supplier's message can come before its answer to the purchase was settled, or before an
 * orphan of a crash was: while purchases are under way, a number that nobody holds yet is looked for a little longer.
 */
async function findHolders(ctx: Context, sms: IncomingSms): Promise<Holders> {
  const { supplierId, phone } = sms
  for (let look = 1; ; look += 1) {
    // Asked before looking: a purchase that is settled meanwhile may be too late for this look, not for the next.
    const underWay = ctx.reserving.size > 0 || ctx.renting.size > 0
    const [holders, renter] = await Promise.all([
      listHolders(ctx.db, { supplierId, phone, limit: MAX_HOLDERS }),
      findRenter(ctx, sms),
    ])
    if (holders.length > 0 || renter !== null || !underWay || look === MAX_LOOKS) return { holders, renter }
    await wait(LOOK_AGAIN_MS)
  }
}

/** With several services on one number, the one the message names; else the one bought last. */
function chooseHolder(ctx: Context, holders: NumberHolder[], sms: IncomingSms): NumberHolder | undefined {
  if (holders.length < 2) return holders[0]
  const said = `${sms.sender} ${sms.text}`.toLowerCase()
  const named = holders.find((holder) => {
    const service = ctx.catalog.services.get(holder.service_code)
    return [service?.name_en, service?.name_ru].some((name) => name !== undefined && said.includes(name.toLowerCase()))
  })
  return named ?? holders[0]
}

/** Suppliers are outside: what they send is cut to size, and made storable (PostgreSQL refuses NUL in text). */
function tidySms(sms: IncomingSms): IncomingSms {
  const text = (value: string, length: number) => value.replaceAll('\0', '').slice(0, length).toWellFormed()
  return {
    supplierId: sms.supplierId,
    messageId: sms.messageId === null ? null : text(sms.messageId, MAX_MESSAGE_ID_LENGTH),
    phone: sms.phone.replaceAll(/\D/g, '').slice(0, 20),
    sender: text(sms.sender, MAX_SENDER_LENGTH),
    text: text(sms.text, MAX_TEXT_LENGTH),
  }
}
