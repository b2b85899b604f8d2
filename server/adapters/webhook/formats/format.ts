import type { IntakeAnswer, IntakeRequest, NotText, Piece, Verdict } from '#server/core/suppliers/supplier.ts'

/** The content of one request. `id` is unique for ever, or null if the sender gives no such id. */
export type SentSms = {
  id: string | null
  sender: string
  text: string
  /** The phone number as the request writes it. Device and slot name the SIM card, if known. */
  phone: string | null
  device: string | null
  slot: string | null
  /** The time that the message waited at its sender, by the sender's clock, in ms. */
  waitedMs: number
  /** True if the same message may come again under another id. */
  byContent: boolean
  notText?: NotText
  piece?: Piece
}

/** The result of reading a request. `ignored` means that it is not about a received message. */
export type FormatReading = { outcome: 'sms'; sms: SentSms } | { outcome: 'ignored' | 'unread'; reason: string }

export type Format = {
  answer: IntakeAnswer
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
