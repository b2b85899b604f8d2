import { chooseCode, type FoundCode } from './codes/choose-code.ts'
import { type MessageText, marksOf, readText } from './codes/message-text.ts'
import { ownCodes } from './codes/own-codes.ts'
import { isBlank } from './codes/plain-text.ts'
import { type Named, nameText } from './name-text.ts'
import type { Naming } from './naming.ts'
import { offersSignIn } from './offers.ts'
import type { SenderBook } from './sender-book.ts'
import { kindOfSender } from './sender-name.ts'

/** Everything that judge.ts needs to know of a message. */
export type Reading = {
  naming: Naming
  /** The text has no visible letter or digit. */
  isBlank: boolean
  /** The text tells of money that moves, like a card's confirmation. */
  isPayment: boolean
  /** `general` is a gateway's own name, which it uses for many firms. */
  sender: 'number' | 'general' | 'letters' | 'none'
  /** Services for which the sender is known for certain. */
  senderServices: readonly string[]
  /** Services whose guessed name equals the sender's. */
  senderHints: readonly string[]
  /** `own` holds codes by the rules of single services. */
  codes: { general: FoundCode | null; own: Record<string, FoundCode> }
  /** A firm outside the catalogue signs the text or gives its code. */
  byOther: boolean
  /** The text sells, delivers or gives away something. */
  isAdvert: boolean
  /** Services to which the text only leads, as another firm's text does. */
  leadsTo: readonly string[]
  /** The text gives a means to sign in that is no code we can read. */
  offers: boolean
  /** The reason why the body is not text; nothing is read from such a body. */
  notText?: string
}

/** Parses a message once, for any order. `phone` is the number that received it. */
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

/** True if brand and number are the whole text, or the number follows the signature: `WhatsApp: 482-913`. */
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
