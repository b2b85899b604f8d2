import { isReceiptText } from '#server/adapters/shared/incoming/receipt-text.ts'
import { findDestination } from '#server/adapters/shared/own-numbers/destination.ts'
import type { receiveSms } from '#server/core/numbers/delivery/receive-sms.ts'
import type { IncomingSms } from '#server/core/suppliers/supplier.ts'
import type { Context } from '#server/house/context.ts'
import { transaction } from '#server/house/db/transaction.ts'
import type { LostAnswers } from './lost-answers.ts'
import {
  type Candidate,
  completeMessage,
  insertMessage,
  insertPart,
  type LongMessage,
  type LongPart,
  lockIdentity,
  markDelivered,
  selectCandidates,
  selectMessage,
} from './queries/parts.ts'
import type { DefaultAlphabet } from './wire/alphabet.ts'
import { joinParts } from './wire/join-parts.ts'
import type { ReceivedPart } from './wire/read-message.ts'

export type Inbox = {
  ctx: Context
  receiveSms: typeof receiveSms
  supplierId: number
  defaultAlphabet: DefaultAlphabet
  partsWaitSeconds: number
  lostAnswers: LostAnswers
}

/** The time within which an equal part is a retransmission. Later it may belong to a new message. */
const REPEAT_SECONDS = 120
/** The time after which a background job delivers a complete message, if the last part's connection did not. */
const FIRST_RETRY_SECONDS = 5

/** Stores a part of a message. Resolves once it may be acknowledged. If it rejects, the peer must send it again. */
export async function receivePart(inbox: Inbox, part: ReceivedPart): Promise<void> {
  const { supplierId, lostAnswers } = inbox
  const phone = await findDestination(inbox.ctx.db, { ...part, supplierId })
  const { partOf } = part
  if (partOf === null) {
    const resentWithin = lostAnswers.storedWithin(part)
    const message = { ...part, phone, messageId: null, parts: [{ ...part, sequence: 1 }], total: 1 }
    return handOver(inbox, resentWithin === null ? message : { ...message, resentWithin })
  }
  const { id, isReady } = await storePart(inbox, { ...part, phone, partOf, supplierId })
  if (isReady) await deliverMessage(inbox, id)
}

/** Delivers a complete message. A repeat after a crash is harmless, because the intake drops known message ids. */
export async function deliverMessage(inbox: Inbox, id: bigint): Promise<void> {
  const message = await selectMessage(inbox.ctx.db, id)
  if (message === null) return
  await handOver(inbox, { ...message, messageId: `long-${id}` })
  await markDelivered(inbox.ctx.db, id, inbox.ctx.clock.now())
}

type WholeMessage = Pick<IncomingSms, 'messageId' | 'phone' | 'sender' | 'notText' | 'resentWithin'> &
  Pick<LongMessage, 'parts' | 'total'>

/** Hands a message over to the core. Receipts are dropped, because we send nothing. */
async function handOver({ ctx, receiveSms, supplierId, defaultAlphabet }: Inbox, message: WholeMessage): Promise<void> {
  const { messageId, phone, sender, parts, total, resentWithin } = message
  const { text, isData } = joinParts(parts, { total, defaultAlphabet })
  if (isReceiptText(text)) return
  const notText = message.notText ?? (isData ? 'binary' : undefined)
  await receiveSms(ctx, {
    supplierId,
    messageId,
    phone,
    sender,
    text,
    ...(notText !== undefined && { notText }),
    ...(resentWithin !== undefined && { resentWithin }),
  })
}

async function storePart(inbox: Inbox, part: LongPart): Promise<{ id: bigint; isReady: boolean }> {
  const now = inbox.ctx.clock.now()
  return transaction(inbox.ctx.db, async (tx) => {
    await lockIdentity(tx, part)
    const place = findPlace(await selectCandidates(tx, part, secondsFrom(now, -REPEAT_SECONDS)))
    if (place.known !== undefined) return { id: place.known.id, isReady: place.known.isReady }
    const id = place.open?.id ?? (await insertMessage(tx, part, now))
    await insertPart(tx, id, part, now)
    const isReady = await completeMessage(tx, id, { now, nextAttemptAt: secondsFrom(now, FIRST_RETRY_SECONDS) })
    return { id, isReady }
  })
}

/**
 * Finds the message of a part. Senders that reuse a reference send messages in turn, so a new part goes to the oldest
 * incomplete message.
 */
function findPlace(candidates: readonly Candidate[]): { known?: Candidate | undefined; open?: Candidate | undefined } {
  return {
    known: candidates.find((candidate) => candidate.isSame),
    open: candidates.find((candidate) => !candidate.isReady && !candidate.hasPart),
  }
}

export function secondsFrom(at: Date, seconds: number): Date {
  return new Date(at.getTime() + seconds * 1_000)
}
