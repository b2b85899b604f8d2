import { type Reading, readMessage } from '#server/core/numbers/messages/reading.ts'
import type { NewMessage } from '#server/core/numbers/ownership/queries/message-row.ts'
import { seedBook } from '#test/builders/sender-book.ts'

export function bookMessage(input: { supplierId: number; phone: string; text: string; at: Date }): NewMessage {
  const { supplierId, phone, text, at: receivedAt } = input
  const naming = { kind: 'named', by: 'sender', services: ['tg'], family: 'tg' } as const
  const words = { phone, text, sender: 'Telegram', messageId: `m-${phone}`, byContent: false }
  return {
    ...words,
    supplierId,
    receivedAt,
    storedAt: receivedAt,
    reading: readingOf(naming),
    reference: null,
    toldCode: null,
  }
}

const BOOK = seedBook()

/** Returns a parsed SMS with the code 48213, sent from a phone number. `more` overrides fields of the result. */
export function readingOf(naming: Reading['naming'], more: Partial<Reading> = {}): Reading {
  const read = readMessage(BOOK, { sender: '+447900000001', text: 'Your code is 48213', phone: '' })
  return { ...read, naming, ...more }
}
