import { type Reading, readMessage } from '#server/core/numbers/messages/reading.ts'
import type { SenderBook } from '#server/core/numbers/messages/sender-book.ts'
import type { StoredMessage } from '../ownership/queries/message-row.ts'

/**
 * Parses a stored message. The services that its text names stay those found on arrival, even if the rules have
 * changed.
 */
export function readStored(
  book: SenderBook,
  stored: Pick<StoredMessage, 'sender' | 'text' | 'phone' | 'naming'>,
): Reading {
  return { ...readMessage(book, stored), naming: stored.naming }
}
