import { saysCode } from './codes/code-candidates.ts'
import { extractCodes } from './codes/extract-code.ts'
import { findBoundHost, findLinks, type Link } from './codes/links.ts'
import { fold, toPlain } from './codes/plain-text.ts'
import { type Brand, type Brands, findBrands } from './find-brands.ts'
import { standingOf } from './name-context.ts'
import type { Naming } from './naming.ts'
import type { SenderBook } from './sender-book.ts'
import { namesOfSender } from './sender-name.ts'
import type { Meaning } from './sign-index.ts'

/** In doubt it names nothing: a wrong name leaks a code to a stranger (docs/messages.md). */
export function nameService(book: SenderBook, message: { sender: string; text: string }): Naming {
  const ignored = book.ignoredBy(message.sender)
  if (ignored === 'staff') return { kind: 'operator' }
  const plain = toPlain(message.text)
  const folded = fold(plain)
  const proof = proofOf(book, folded)
  if (proof !== null) return named(book, proof.by, proof.services)
  const sender = senderOf(book, message.sender, folded)
  // Some operators are sold as services too, and a text with a code is theirs as a service.
  if (ignored === 'seed' && !(sender?.weak === false && GIVES_CODE.test(folded))) return { kind: 'operator' }
  const links = findLinks(folded)
  const brands = findBrands(book, { plain, folded, links })
  const linked = domainsOf(book, folded, links)
  if (sender === undefined && isMention({ plain, folded }, brands, linked)) {
    return { kind: 'mentioned', services: servicesOf(brands) }
  }
  const judged = judge(book, [...linked.named, ...brands.named], sender?.weak === false ? sender.services : null)
  if (judged !== null) return judged
  const weakSender = sender?.weak === true ? sender.services : []
  return hinted([...brands.hinted, ...linked.hinted, ...weakSender])
}

/** Only brand words name a service, and the text has nothing like a code. */
function isMention(
  { plain, folded }: { plain: string; folded: string },
  brands: Brands,
  linked: { named: Brand[]; hinted: string[] },
): boolean {
  if (servicesOf(brands).length === 0 || linked.named.length > 0 || linked.hinted.length > 0) return false
  if (GIVES_CODE.test(folded) || saysCode(folded)) return false
  const { general, own } = extractCodes(plain)
  return general === null && Object.keys(own).length === 0
}

function servicesOf({ named: brands, hinted: hints }: Brands): string[] {
  return [...new Set([...brands.flatMap(({ services }) => services), ...hints])]
}

const GIVES_CODE = /\b(?:code|otp|pin|password)\b|код|парол/

function named(book: SenderBook, by: (Naming & { kind: 'named' })['by'], services: readonly string[]): Naming {
  return { kind: 'named', by, services, family: book.familyOf(services[0] ?? '') }
}

function hinted(services: readonly string[]): Naming {
  return services.length === 0 ? { kind: 'none' } : { kind: 'hinted', services: [...new Set(services)] }
}

const HASH_LENGTH = 11

/** Only the app's own texts end so. Gateways may glue the hash to the code or drop its line. */
function proofOf(book: SenderBook, folded: string): { by: 'hash' | 'domain'; services: readonly string[] } | null {
  const hash = book.index().hashes.get(folded.trimEnd().slice(-HASH_LENGTH))
  if (hash !== undefined) return { by: 'hash', services: hash.services }
  const host = findBoundHost(folded)
  const domain = host === null ? undefined : domainOf(book, { host, path: '' })
  return domain === undefined || domain.weak ? null : { by: 'domain', services: domain.services }
}

/** A firm in brackets is the sender where senders are numbers. */
function senderOf(book: SenderBook, sender: string, folded: string): Meaning | undefined {
  const candidates = [...signaturesOf(folded), ...namesOfSender(sender)]
  const meanings = candidates.map((name) => book.index().senders.get(name)).filter((meaning) => meaning !== undefined)
  return meanings.find((meaning) => !meaning.weak) ?? meanings[0]
}

const MAX_SIGNATURES = 4

/** Names in 【…】 anywhere, and in […] at the beginning or end. */
function signaturesOf(folded: string): string[] {
  const full = folded.includes('【') ? [...folded.matchAll(/【([^【】]{2,24})】/g)].slice(0, MAX_SIGNATURES) : []
  if (!folded.includes('[')) return full.map(([, name = '']) => name.trim())
  const opening = /^\[([^[\]]{2,24})\]/.exec(folded.replace(LEAD, ''))
  const closing = /\[([^[\]]{2,24})\]$/.exec(folded.trimEnd().slice(-26))
  return [...full, opening, closing].flatMap((match) => match?.[1]?.trim() ?? [])
}

/** Marks of an app's text and of Korean carriers. */
const LEAD = /^\s{0,9}(?:<#>|\[#\]|\[web발신\]|\[국외발신\])?\s{0,9}/

/** A link that does not repeat the code may be an advert, so it only hints. */
function domainsOf(book: SenderBook, folded: string, links: readonly Link[]): { named: Brand[]; hinted: string[] } {
  const result: { named: Brand[]; hinted: string[] } = { named: [], hinted: [] }
  for (const link of links) {
    const domain = domainOf(book, link)
    if (domain === undefined) continue
    const { services } = domain
    if (link.linked ? repeatsCode(folded, link) : isGiver(folded, link)) {
      result.named.push({ services, gives: true, isBank: false, said: link.host })
    } else result.hinted.push(...services)
  }
  return result
}

function isGiver(folded: string, link: Link): boolean {
  const standing = standingOf(folded, link)
  return standing !== 'plain' && standing !== 'aside'
}

/** `…/login/12345`, with 12345, 123-45 or 1 2 3 4 5 in the text before it. */
function repeatsCode(folded: string, { path, start }: Link): boolean {
  const code = /(\d{4,8})$/.exec(path.slice(-9).replaceAll('-', ''))?.[1]
  return code !== undefined && folded.slice(0, start).replaceAll(/[ -]/g, '').includes(code)
}

/** Looks up host and path, then the host, then its parent hosts. */
function domainOf(book: SenderBook, { host, path }: { host: string; path: string }): Meaning | undefined {
  const first = `${host}${/^\/[^/?#]+/.exec(path)?.[0] ?? ''}`
  const labels = host.split('.')
  const above = labels.slice(0, -1).map((_, at) => labels.slice(at).join('.'))
  return [first, ...above].map((name) => book.index().domains.get(name)).find((meaning) => meaning !== undefined)
}

/** Null when nothing strong was said. */
function judge(book: SenderBook, brands: readonly Brand[], sender: readonly string[] | null): Naming | null {
  const banks = brands.filter((brand) => brand.isBank)
  const givers = brands.filter((brand) => brand.gives)
  const first = [banks, givers, brands].find((some) => some.length > 0)
  if (first === undefined) return sender === null ? null : named(book, 'sender', sender)
  const fitting = withoutShorter(first)
  const common = intersection(fitting.map((brand) => brand.services))
  const agrees = (services: readonly string[]) => sender?.some((code) => services.includes(code)) === true
  if (common.length > 0) {
    const sure = sender === null || banks.length > 0 || givers.length > 0 || agrees(common)
    // A passing brand against a sender known for another: neither decides alone.
    return sure || isOneFamily(book, common, sender) ? named(book, 'text', common) : hinted([...sender, ...common])
  }
  const chosen = fitting.find((brand) => agrees(brand.services))
  if (chosen !== undefined) return named(book, 'text', chosen.services)
  return hinted([...fitting.flatMap((brand) => brand.services), ...(sender ?? [])])
}

/** `WhatsApp` adds nothing beside `WhatsApp Business`. */
function withoutShorter(brands: readonly Brand[]): Brand[] {
  return brands.filter((brand) => !brands.some((other) => other.said !== brand.said && other.said.includes(brand.said)))
}

function intersection(lists: readonly (readonly string[])[]): readonly string[] {
  const [first = [], ...others] = lists
  return first.filter((code) => others.every((list) => list.includes(code)))
}

function isOneFamily(book: SenderBook, services: readonly string[], sender: readonly string[]): boolean {
  const families = new Set(sender.map((code) => book.familyOf(code)))
  return services.some((code) => families.has(book.familyOf(code)))
}
