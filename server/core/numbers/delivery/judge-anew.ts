import { readMessage } from '#server/core/numbers/messages/reading.ts'
import type { SenderBook } from '#server/core/numbers/messages/sender-book.ts'
import type { Db } from '#server/house/db/pool.ts'
import { type Claim, chooseOwner } from '../ownership/choose-owner.ts'
import { findClaims } from './queries/claims.ts'
import type { StandingMessage } from './queries/judged.ts'

/**
 * The decision about a message: who gets it and whether it charges. The verdict `text` means that the message charged
 * the order although no code was read.
 */
export type Verdict = {
  is: 'code' | 'text' | 'notice' | 'late' | 'nobody'
  orderId: bigint | null
  code: string | null
}

/**
 * Decides by today's rule who gets a stored message, as of its arrival. Stores nothing. A message stored as junk still
 * goes to nobody.
 */
export async function judgeAnew(db: Db, book: SenderBook, message: StandingMessage): Promise<Verdict> {
  if (message.given === 'junk') return standingOf(message)
  const { receivedAt: at, phone, reference, sender, text } = message
  const claims = (await findClaims(db, message)).map((claim) => asOf(claim, at))
  const reading = readMessage(book, { sender, text, phone })
  const choice = chooseOwner({ reading, reference, toldCode: null, receivedAt: at }, claims, book)
  if (choice.to === null) return { is: 'nobody', orderId: null, code: null }
  const { code, to } = choice
  if (choice.given === 'late') return { is: 'late', orderId: to.id, code }
  if (choice.isNotice) return { is: 'notice', orderId: to.id, code: null }
  return { is: code === null ? 'text' : 'code', orderId: to.id, code }
}

/**
 * Returns an order's claim on the number as it was at time `at`. An order that ended later was open at that time.
 * Whether an activation was paid for at that time is unknown.
 */
function asOf(claim: Claim, at: Date): Claim {
  const hadEnded = claim.endedAt !== null && claim.endedAt <= at
  return { ...claim, endedAt: hadEnded ? claim.endedAt : null, isPaid: claim.kind === 'rental' }
}

export function standingOf({ given, orderId, code }: StandingMessage): Verdict {
  switch (given) {
    case 'unmatched':
    case 'operator':
    case 'junk':
      return { is: 'nobody', orderId: null, code: null }
    case 'late':
      return { is: 'late', orderId, code }
    case 'notice':
    case 'opened':
      return { is: 'notice', orderId, code: null }
    default:
      return { is: code === null ? 'text' : 'code', orderId, code }
  }
}
