import { type Reading, readMessage } from '#server/core/numbers/messages/reading.ts'
import type { SenderBook } from '#server/core/numbers/messages/sender-book.ts'
import type { StoredMessage } from '../ownership/queries/message-row.ts'

/** Reads a stored message with the naming from its arrival; later naming rules do not apply to it. */
export function readStored(
  book: SenderBook,
  stored: Pick<StoredMessage, 'sender' | 'text' | 'phone' | 'naming'>,
): Reading {
  return { ...readMessage(book, stored), naming: stored.naming }
}
