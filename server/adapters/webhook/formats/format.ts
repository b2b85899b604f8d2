import type { IntakeAnswer, IntakeRequest, NotText, Piece, Verdict } from '#server/core/suppliers/supplier.ts'

/** What one request says. `id` is unique for ever; null: its sender gives none that is. */
export type SentSms = {
  id: string | null
  sender: string
  text: string
  /** As it was written: any of a whole number, and of the slot that holds its card. */
  phone: string | null
  device: string | null
  slot: string | null
  /** How long it waited at its sender, by the sender's own clock. */
  waitedMs: number
  /** The same message may come again under another id. */
  byContent: boolean
  notText?: NotText
  piece?: Piece
}

/** `ignored`: about something else than a message that came in. */
export type FormatReading = { outcome: 'sms'; sms: SentSms } | { outcome: 'ignored' | 'unread'; reason: string }

export type Format = {
  answer: IntakeAnswer
  /** Of the bytes alone. */
  verify(request: IntakeRequest): Verdict
  read(request: Pick<IntakeRequest, 'url' | 'headers' | 'body' | 'receivedAt'>): FormatReading
}

export const NOTHING: IntakeAnswer = { type: 'text/plain; charset=utf-8', text: '' }

export function refuse(reason: string): Verdict {
  return { genuine: false, reason }
}
export function ignored(reason: string): FormatReading {
  return { outcome: 'ignored', reason }
}
export function unread(reason: string): FormatReading {
  return { outcome: 'unread', reason }
}
