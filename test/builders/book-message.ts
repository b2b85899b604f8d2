import type { NewMessage } from '#server/numbers/delivery/queries/message-row.ts'
import type { Reading } from '#server/numbers/messages/reading.ts'

/** A message that names Telegram. */
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

/** A text with the proved code 48213, from a number. */
export function readingOf(naming: Reading['naming'], more: Partial<Reading> = {}): Reading {
  const code = { value: '48213', proved: true }
  return {
    ...{
      naming,
      isBlank: false,
      isPayment: false,
      sender: 'number',
      senderServices: [],
      senderHints: [],
      byOther: false,
    },
    ...{ codes: { general: code, own: {} }, offers: false, ...more },
  }
}
