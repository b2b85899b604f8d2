import { type MessageText, marksOf } from '../codes/message-text.ts'
import { isPayment } from '../payment.ts'
import type { SenderBook } from '../sender-book.ts'
import type { Meaning } from '../sign-index.ts'
import type { Found } from '../word-index.ts'
import type { WordKind } from '../words/lexicon.ts'
import { endOfProduct } from './products.ts'
import { isSignedFirst, isYours, type Place, type Standing, standingOf } from './standing.ts'

/** A brand in a text. `said` is the matched word; `isProduct` means that a product's name follows the brand. */
export type Brand = Place & { services: readonly string[]; said: string; isProduct: boolean }

/**
 * The brands of a text by role. `giving`: the text gives the brand's code or is signed by the brand. `mentioned`: the
 * brand is only named. `hinted`: like `giving`, but the evidence is weak. `leading`: the text only leads the reader to
 * the brand (“follow us on …”), which proves nothing. `pays`: the text is about a payment. `hasGuests`: another firm
 * gives its own code for use at a brand.
 */
export type Brands = {
  giving: Brand[]
  mentioned: Brand[]
  hinted: Brand[]
  leading: Brand[]
  pays: boolean
  hasGuests: boolean
}

const MAX_FOUND = 40

export function findBrands(book: SenderBook, text: MessageText): Brands {
  const found = book.index().words.find(text.plain, text.folded).slice(0, MAX_FOUND)
  const pays = isPayment(text, found)
  const brands: Brands = { giving: [], mentioned: [], hinted: [], leading: [], pays, hasGuests: false }
  for (const each of found) {
    const { meaning, start } = each
    const { services, kind, weak, giverOnly } = meaning
    if (services.length === 0 || found.some((other) => hides(other, each))) continue
    const isPrefix = kind === 'prefix'
    if (isPrefix ? !/^\d{4}/.test(text.plain.slice(each.end, each.end + 4)) : isPartOfHost(text.plain, each)) continue
    const end = endOfProduct(text.folded, services, each.end)
    const isProduct = end > each.end
    const standing = isPrefix ? 'signed' : standingOf(text, { start, end })
    const brand = { services, start, end, said: text.folded.slice(start, each.end), isProduct }
    // The code in “Code to add your card to Samsung Wallet” is a bank's code.
    const isForCard = isProduct && standing === 'target' && marksOf(text, 'card').length > 0
    const gives = isPrefix || (!isForCard && isGiving(text, brand, { standing, pays }))
    if (
      standing === 'leads' ||
      (!gives && (giverOnly || pays || isForCard || (isProduct && marksOf(text, 'code', 'secret').length > 0)))
    )
      brands.leading.push(brand)
    else if (weak) brands[gives || !giverOnly ? 'hinted' : 'leading'].push(brand)
    else brands[gives ? 'giving' : 'mentioned'].push(brand)
  }
  return brands
}

/**
 * Returns true if the text gives the brand's code. A text about a payment also names the shop, so the brand must sign
 * the text or own the code.
 */
function isGiving(text: MessageText, place: Place, { standing, pays }: { standing: Standing; pays: boolean }): boolean {
  if (pays)
    return (standing === 'signed' && isSignedFirst(text, place)) || (standing === 'owner' && isYours(text, place))
  // Adverts are signed too, so a signature alone does not prove a code.
  return (standing === 'signed' && saysMore(text)) || standing === 'owner' || standing === 'target'
}

function saysMore({ folded, marks }: MessageText): boolean {
  return /\d{3}/.test(folded) || marks.some(({ kind }) => SIGN_IN.includes(kind))
}

const SIGN_IN: readonly WordKind[] = ['code', 'secret', 'auth', 'alert', 'call', 'tap']

/** Returns true if the longer word contains the shorter: `Google Voice` hides `Google`. */
function hides(longer: Found<Meaning>, shorter: Found<Meaning>): boolean {
  const isLonger = longer.end - longer.start > shorter.end - shorter.start
  return isLonger && longer.start <= shorter.start && longer.end >= shorter.end && !longer.meaning.weak
}

/** Returns true in `telegram.example.com` or `help@telegram`, but not if a capital after the dot begins a sentence. */
function isPartOfHost(plain: string, { start, end }: Place): boolean {
  return /[@.]/.test(plain.charAt(start - 1)) || /^\.\p{Ll}/u.test(plain.slice(end, end + 2))
}
