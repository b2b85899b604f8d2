import { BANKS } from './banks.ts'
import { blankLinks, type Link } from './codes/links.ts'
import { standingOf } from './name-context.ts'
import type { SenderBook } from './sender-book.ts'
import type { Meaning } from './sign-index.ts'
import type { Found } from './word-index.ts'

/** `gives`: the text gives a code for the brand; `said`: the word itself. */
export type Brand = { services: readonly string[]; gives: boolean; isBank: boolean; said: string }

export type Brands = { named: Brand[]; hinted: string[] }

const MAX_FOUND = 40

/** In a text about a payment a shop's name says nothing: the code is the bank's. */
export function findBrands(book: SenderBook, text: { plain: string; folded: string; links: readonly Link[] }): Brands {
  const plain = blankLinks(text.plain, text.links)
  const folded = blankLinks(text.folded, text.links)
  const found = book.index().words.find(plain, folded).slice(0, MAX_FOUND)
  const payment = found.length > 0 && isPayment(folded)
  const brands: Brands = { named: [], hinted: [] }
  for (const each of found) {
    const { meaning, start, end } = each
    const { services, kind, weak, giverOnly } = meaning
    if (services.length === 0 || found.some((other) => hides(other, each))) continue
    if (kind === 'prefix' ? !/^\d{4}/.test(plain.slice(end, end + 4)) : isPartOfHost(plain, each)) continue
    const standing = kind === 'prefix' ? 'signed' : standingOf(folded, each)
    const gives = standing === 'signed' || standing === 'owner' || standing === 'target'
    if (giverOnly && !gives) continue
    const isBank = BANKS.has(services[0] ?? '')
    if (payment && !isBank && standing !== 'signed' && standing !== 'owner') continue
    if (weak || standing === 'aside') brands.hinted.push(...services)
    else brands.named.push({ services, gives, isBank: payment && isBank, said: folded.slice(start, end) })
  }
  return brands
}

/** The longer word wins: `Google Voice` over `Google`. */
function hides(longer: Found<Meaning>, shorter: Found<Meaning>): boolean {
  const isLonger = longer.end - longer.start > shorter.end - shorter.start
  return isLonger && longer.start <= shorter.start && longer.end >= shorter.end && !longer.meaning.weak
}

/** `telegram.example.com` or `help@telegram`; after a lost space a sentence begins with a capital. */
function isPartOfHost(plain: string, { start, end }: { start: number; end: number }): boolean {
  return /[@.]/.test(plain.charAt(start - 1)) || /^\.\p{Ll}/u.test(plain.slice(end, end + 2))
}

export function isPayment(folded: string): boolean {
  return MONEY.test(folded) && CARD.test(folded)
}

const MONEY =
  /(?:\brs\.? ?|\b(?:inr|usd|eur|rub|gbp|try|brl|idr|rp) ?|[₹$€£¥₽])\d|\d ?(?:rs\b|inr\b|usd\b|eur\b|rub\b|gbp\b|руб|[₽€元₸₴]|грн|тенге|тг\b)/
const CARD =
  /\bcard\b|карт|\ba\/c\b|\bacct?\b|\btxn\b|transaction|purchase|payment|\bspent\b|покупк|оплат|списан|перевод|尾号|xx\d{3}|\*\d{4}/
