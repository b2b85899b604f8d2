import { type Reading, readMessage } from '#server/core/numbers/messages/reading.ts'
import type { SenderBook } from '#server/core/numbers/messages/sender-book.ts'
import type { StoredMessage } from '../ownership/queries/message-row.ts'

/** Named as when it came: a later rule does not name it anew. */
export function readStored(
  book: SenderBook,
  stored: Pick<StoredMessage, 'sender' | 'text' | 'phone' | 'naming'>,
): Reading {
  return { ...readMessage(book, stored), naming: stored.naming }
}
