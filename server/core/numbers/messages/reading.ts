import { chooseCode, type FoundCode } from './codes/choose-code.ts'
import { type MessageText, marksOf, readText } from './codes/message-text.ts'
import { ownCodes } from './codes/own-codes.ts'
import { isBlank } from './codes/plain-text.ts'
import { type Named, nameText } from './name-text.ts'
import type { Naming } from './naming.ts'
import { offersSignIn } from './offers.ts'
import type { SenderBook } from './sender-book.ts'
import { kindOfSender } from './sender-name.ts'

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
  /** Services whose guessed name the sender has. */
  senderHints: readonly string[]
  /** `own`: by the rules of single services. */
  codes: { general: FoundCode | null; own: Record<string, FoundCode> }
  /** Somebody outside the catalogue signs the text or gives its code. */
  byOther: boolean
  /** It sells, delivers or gives away something. */
  isAdvert: boolean
  /** Services that its words only lead to, as somebody else's text does. */
  leadsTo: readonly string[]
  /** The text hands over something to sign in with that is no code we can read. */
  offers: boolean
  /** Why the body is no text; then nothing is read from it. */
  notText?: string
}

/** Reads a message once, for any order. `phone` received it. */
export function readMessage(
  book: SenderBook,
  message: { sender: string; text: string; phone: string; notText?: string },
): Reading {
  const { sender, notText } = message
  const text = readText(notText === undefined ? message.text : '')
  const name = nameText(book, text, sender)
  const known = name.sender
  const services = known?.services ?? []
  return {
    naming: name.naming,
    isBlank: isBlank(text.whole),
    isPayment: name.brands.pays,
    sender: kindOfSender(sender),
    senderServices: known?.weak === false ? services : [],
    senderHints: known?.weak === true ? services : [],
    byOther: name.byOther,
    isAdvert: marksOf(text, 'coupon', 'advert', 'errand', 'lead').length > 0,
    leadsTo: name.brands.leading.flatMap((brand) => brand.services),
    ...codesOf(text, name, message.phone),
    ...(notText !== undefined && { notText }),
  }
}

function codesOf(text: MessageText, { brands }: Named, phone: string): Pick<Reading, 'codes' | 'offers'> {
  const places = [...brands.giving, ...brands.mentioned]
  const names = [...places, ...brands.hinted, ...brands.leading]
  const { code, unsure } = chooseCode(text, phone, { given: brands.giving, names })
  const general = code === null || code.proved ? code : { ...code, proved: isAllBeside(text, code.value, places) }
  return { codes: { general, own: ownCodes(text, general) }, offers: code === null && offersSignIn(text, unsure) }
}

/** `WhatsApp: 482-913`: the number stands behind the signature, or brand and number are the whole text. */
function isAllBeside(
  { plain }: MessageText,
  value: string,
  places: readonly { start: number; end: number }[],
): boolean {
  if (places.length === 0) return false
  if (places.some(({ end }) => isNext(plain.slice(end, end + NEXT_LENGTH), value))) return true
  let rest = plain
  for (const { start, end } of places) rest = rest.slice(0, start) + ' '.repeat(end - start) + rest.slice(end)
  return !/\p{L}/u.test(rest) && rest.replaceAll(/\D/g, '') === value
}

const NEXT_LENGTH = 24

function isNext(after: string, value: string): boolean {
  const number = /^\s?:\s{0,2}(\d[\d -]{2,12})(?![\p{L}\d])/u.exec(after)?.[1]
  return number?.replaceAll(/\D/g, '') === value
}
