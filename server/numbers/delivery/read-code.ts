import { FULL_NUMBER } from '#contract/rental.ts'
import { type Reading, readMessage } from '#server/numbers/messages/reading.ts'
import type { SenderBook } from '#server/numbers/messages/sender-book.ts'
import type { Claim } from './choose-owner.ts'
import type { StoredMessage } from './queries/message-row.ts'

/** By the rule of its owner's service; on a whole number, of the service that it names. */
export function codeFor(reading: Reading, owner: Pick<Claim, 'serviceCode'> | null): string | null {
  const { naming, codes } = reading
  const named = naming.kind === 'named' ? naming.services[0] : undefined
  const writer = owner === null || owner.serviceCode === FULL_NUMBER ? named : owner.serviceCode
  return (codes.own[writer ?? ''] ?? codes.general)?.value ?? null
}

/** Named as when it came: a later rule does not name it anew. */
export function readStored(
  book: SenderBook,
  stored: Pick<StoredMessage, 'sender' | 'text' | 'phone' | 'naming'>,
): Reading {
  return { ...readMessage(book, stored), naming: stored.naming }
}
