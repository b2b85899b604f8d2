import { chooseCode, type FoundCode } from './codes/choose-code.ts'
import { type MessageText, marksOf, readText } from './codes/message-text.ts'
import { ownCodes } from './codes/own-codes.ts'
import { isBlank } from './codes/plain-text.ts'
import { type Named, nameText } from './name-text.ts'
import type { Naming } from './naming.ts'
import { offersSignIn } from './offers.ts'
import type { SenderBook } from './sender-book.ts'
import { kindOfSender } from './sender-name.ts'

export type Reading = {
  naming: Naming
  isBlank: boolean
  /** True if the text tells of a payment, such as a confirmation of a card. */
  isPayment: boolean
  /** The kind of sender. `general` is a name that an SMS gateway uses for many firms. */
  sender: 'number' | 'general' | 'letters' | 'none'
  /** The services to which the sender certainly belongs. */
  senderServices: readonly string[]
  /** The services whose guessed sender name equals the message's sender. */
  senderHints: readonly string[]
  /** The codes in the text. `general` was found by general rules, `own` by rules of single services. */
  codes: { general: FoundCode | null; own: Record<string, FoundCode> }
  /** True if a firm outside the catalogue signs the text or gives the code. */
  byOther: boolean
  /** True if the text sells, delivers or gives away something. */
  isAdvert: boolean
  /** The services to which the text only leads the reader (“follow us on …”), as a text of another firm does. */
  leadsTo: readonly string[]
  /** True if the text gives a means to sign in other than a code that we can read. */
  offers: boolean
  /** The reason why the body is not text. Nothing is read from such a body. */
  notText?: string
}

/** Parses a message once, for any order. `phone` is the number that received the message. */
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

/** Returns true if brand and number are the whole text, or the number follows a signature: `WhatsApp: 482-913`. */
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
