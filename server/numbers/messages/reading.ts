import { saysCode } from './codes/code-candidates.ts'
import { extractCodes } from './codes/extract-code.ts'
import { fold, toPlain } from './codes/plain-text.ts'
import { isPayment } from './find-brands.ts'
import { nameService } from './name-service.ts'
import type { Naming } from './naming.ts'
import type { SenderBook } from './sender-book.ts'
import { kindOfSender, namesOfSender } from './sender-name.ts'

/** `proved`: beside a word for a code, or by another sign; a lone number is not. */
export type FoundCode = { value: string; proved: boolean }

/** All that judge.ts needs to know of one message. */
export type Reading = {
  naming: Naming
  /** No visible letter or digit. */
  isBlank: boolean
  /** It tells of money that moves, as a card's confirmation does. */
  isPayment: boolean
  /** `general`: a gateway's own name, under which anybody's messages come. */
  sender: 'number' | 'general' | 'letters' | 'none'
  /** Services that the sender is known for for certain. */
  senderServices: readonly string[]
  /** `own`: by the rules of single services. */
  codes: { general: FoundCode | null; own: Record<string, FoundCode> }
  /** The text hands over something to sign in with that is no code we can read. */
  offers: boolean
  /** Why the body is no text; then nothing is read from it. */
  notText?: string
}

const NO_CODES: Reading['codes'] = { general: null, own: {} }

export function readMessage(
  book: SenderBook,
  message: { sender: string; text: string; phone: string; notText?: string },
): Reading {
  const { sender, notText } = message
  const text = notText === undefined ? message.text : ''
  const plain = toPlain(text)
  const folded = fold(plain)
  const found = extractCodes(text, message.phone)
  const proved = saysCode(folded)
  const own = Object.entries(found.own).map(([service, value]) => [service, { value, proved: true }])
  const known = namesOfSender(sender).map((name) => book.index().senders.get(name))
  return {
    naming: nameService(book, { sender, text }),
    isBlank: !/[\p{L}\p{N}]/u.test(plain),
    isPayment: isPayment(folded),
    sender: kindOfSender(sender),
    senderServices: known.find((meaning) => meaning?.weak === false)?.services ?? [],
    codes:
      notText === undefined
        ? { general: found.general === null ? null : { value: found.general, proved }, own: Object.fromEntries(own) }
        : NO_CODES,
    offers: false,
    ...(notText !== undefined && { notText }),
  }
}
