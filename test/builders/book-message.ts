import type { NewMessage } from '#server/numbers/delivery/queries/message-row.ts'

/** A message that names Telegram. */
export function bookMessage(input: { supplierId: number; phone: string; text: string; at: Date }): NewMessage {
  const { supplierId, phone, text, at: receivedAt } = input
  const naming = { kind: 'named', by: 'sender', services: ['tg'], family: 'tg' } as const
  const words = { phone, text, sender: 'Telegram', messageId: `m-${phone}`, byContent: false }
  return { ...words, supplierId, receivedAt, storedAt: receivedAt, naming, reference: null }
}
