import { type Brand, type Brands, findBrands } from './brands/find-brands.ts'
import { withoutGuests } from './brands/guests.ts'
import { hasOtherGiver } from './brands/other-giver.ts'
import { standingOf } from './brands/standing.ts'
import { findBoundHost, type Link } from './codes/links.ts'
import { type MessageText, marksOf } from './codes/message-text.ts'
import type { Naming } from './naming.ts'
import type { SenderBook } from './sender-book.ts'
import { kindOfSender, namesOfSender } from './sender-name.ts'
import type { IgnoredBy } from './sign.ts'
import type { Meaning } from './sign-index.ts'

export type Named = { naming: Naming; brands: Brands; sender: Meaning | undefined; byOther: boolean }

/** Finds the service of a text. In doubt finds none, because an error gives a code to a stranger (docs/messages.md). */
export function nameText(book: SenderBook, text: MessageText, from: string): Named {
  const names = namesOfSender(from)
  const signatures = signaturesOf(text.whole)
  const head = headOf(text.whole)
  const front = head === null ? undefined : book.index().senders.get(head)
  // A certain sender name at the beginning of the text is already among the brands.
  const sender = senderOf(book, [...signatures, ...names]) ?? (front?.weak === true ? front : undefined)
  const isKnown = front !== undefined || signatures.some((name) => book.index().senders.has(name))
  const homes = sender === front || front === undefined ? [sender] : [sender, front]
  const found = withoutStrangers(book, text, { homes: homes.flatMap((home) => home?.services ?? []), from, isKnown })
  const byOther = !isKnown && isByOther(book, text, { brands: found, sender, names })
  const brands = byOther ? { ...found, mentioned: [], leading: [...found.leading, ...found.mentioned] } : found
  const ignored = book.ignoredBy(from)
  const said = namingOf(book, text, { ignored, brands, sender, byOther })
  const naming: Naming = said.kind === 'none' && ignored === 'learnt' ? { kind: 'operator' } : said
  return { naming, brands, sender, byOther: byOther && naming.kind !== 'named' }
}

/** Drops brands in a text of another firm. Brands of the sender and of the text's signer remain. */
function withoutStrangers(
  book: SenderBook,
  text: MessageText,
  { homes, from, isKnown }: { homes: readonly string[]; from: string; isKnown: boolean },
): Brands {
  const isAtHome = ({ services }: Brand) => isOneFamily(book, services, homes)
  const whose = () => {
    if (!isKnown && kindOfSender(from) !== 'letters') return 'anybody'
    return homes.length === 0 ? 'stranger' : 'firm'
  }
  const isKin = (one: Brand, other: Brand) => isOneFamily(book, one.services, other.services)
  return withoutGuests(text, findBrands(book, text), { from: whose, isAtHome, isKin })
}

function isByOther(
  book: SenderBook,
  text: MessageText,
  { brands, sender, names }: { brands: Brands; sender: Meaning | undefined; names: readonly string[] },
): boolean {
  if (brands.giving.length > 0) return false
  const isOwn = sender?.weak === false
  const places = [...brands.mentioned, ...brands.hinted, ...brands.leading]
  if (isOwn && (brands.pays || places.some(({ services }) => isOneFamily(book, services, sender.services))))
    return false
  if (!isOwn && isBoundElsewhere(book, text)) return true
  const all = [...places, ...text.links, ...ownPlaces(text, names)]
  return hasOtherGiver(text, all, { isOwn, saysBrand: brands.mentioned.length > 0 })
}

/** Returns true if the last line `@host #code` has an unknown domain, which proves that another firm gives the code. */
function isBoundElsewhere(book: SenderBook, text: MessageText): boolean {
  const host = text.bound === null ? null : findBoundHost(text.whole)
  return host !== null && domainOf(book, { host, path: '' }) === undefined
}

/** Finds the sender's own name in the text: `GrabPay` from the sender `Grab` is no other firm. */
function ownPlaces({ folded }: MessageText, names: readonly string[]): { start: number; end: number }[] {
  return names.flatMap((name) => {
    const start = name.length < MIN_OWN_NAME ? -1 : folded.indexOf(name)
    return start === -1 ? [] : [{ start, end: start + name.length }]
  })
}

const MIN_OWN_NAME = 4

function namingOf(
  book: SenderBook,
  text: MessageText,
  {
    ignored,
    brands,
    sender,
    byOther,
  }: { ignored: IgnoredBy | null; brands: Brands; sender: Meaning | undefined; byOther: boolean },
): Naming {
  if (ignored === 'staff') return { kind: 'operator' }
  const proof = proofOf(book, text)
  if (proof !== null) return named(book, proof.by, proof.services)
  const own = sender?.weak === false ? sender.services : null
  // We sell numbers for some mobile operators too; a text with a code then belongs to that service.
  if (ignored === 'seed' && (own === null || marksOf(text, 'code', 'secret').length === 0)) return { kind: 'operator' }
  const giving = [...brands.giving, ...namesAsHosts(book, text, brands)]
  const given = giving.length > 0 ? amongGivers(book, giving, own) : null
  if (given !== null) return given
  const mentioned = servicesOf(byOther ? [] : brands.mentioned)
  if (own !== null) {
    // A mere mention of a brand, or another firm's signature, conflicts with a known sender, so both are only hints.
    const agrees = !byOther && !brands.hasGuests && (mentioned.length === 0 || isOneFamily(book, mentioned, own))
    return agrees ? named(book, 'sender', own) : hinted([...own, ...mentioned])
  }
  const weak = [...servicesOf(brands.hinted), ...(sender?.weak === true ? sender.services : [])]
  if (weak.length > 0) return hinted([...weak, ...mentioned])
  return mentioned.length > 0 ? { kind: 'mentioned', services: mentioned } : { kind: 'none' }
}

function servicesOf(brands: readonly Brand[]): string[] {
  return [...new Set(brands.flatMap(({ services }) => services))]
}

function named(book: SenderBook, by: (Naming & { kind: 'named' })['by'], services: readonly string[]): Naming {
  return { kind: 'named', by, services, family: book.familyOf(services[0] ?? '') }
}

function hinted(services: readonly string[]): Naming {
  return services.length === 0 ? { kind: 'none' } : { kind: 'hinted', services: [...new Set(services)] }
}

const HASH_LENGTH = 11

/**
 * Finds proof of a service: an app's hash, a host bound to the code, or a link that repeats the code. SMS gateways may
 * damage the line with the hash.
 */
function proofOf(book: SenderBook, text: MessageText): { by: 'hash' | 'domain'; services: readonly string[] } | null {
  const hash = book.index().hashes.get(text.whole.slice(-HASH_LENGTH))
  if (hash !== undefined) return { by: 'hash', services: hash.services }
  const host = findBoundHost(text.whole)
  const links = text.links.filter((link) => link.linked && repeatsCode(text, link))
  const hosts = [...(host === null ? [] : [{ host, path: '' }]), ...links]
  const domain = hosts.map((each) => domainOf(book, each)).find((meaning) => meaning?.weak === false)
  return domain === undefined ? null : { by: 'domain', services: domain.services }
}

/** Returns true if a link's last path segment repeats a code of the text: `…/login/12345` after 12345 or 123-45. */
function repeatsCode({ whole }: MessageText, { path, start }: Link): boolean {
  const code = /\/(\d[\d-]{2,8}\d)\/?[.,)]?$/.exec(path.slice(-12))?.[1]?.replaceAll('-', '')
  if (code === undefined || path.includes('?') || code.length < 4) return false
  return (
    whole.slice(0, start).replaceAll(/[ -]/g, '').includes(code) || /^\/(?:login|a|verify|confirm|code)\//.test(path)
  )
}

/** Finds the service that a sender stands for. If the sender is a number, a firm in brackets counts as the sender. */
function senderOf(book: SenderBook, names: readonly string[]): Meaning | undefined {
  const meanings = names.map((name) => book.index().senders.get(name)).filter((meaning) => meaning !== undefined)
  return meanings.find((meaning) => !meaning.weak) ?? meanings[0]
}

const MAX_SIGNATURES = 4

/** Finds names in 【…】 anywhere, and in […] at the beginning or end. */
function signaturesOf(folded: string): string[] {
  const full = folded.includes('【') ? [...folded.matchAll(/【([^【】]{2,24})】/g)].slice(0, MAX_SIGNATURES) : []
  const opening = /^\[([^[\]]{2,24})\]/.exec(frontOf(folded))
  const closing = folded.endsWith(']') ? /\[([^[\]]{2,24})\]$/.exec(folded.slice(-26)) : null
  return [...full, opening, closing].flatMap((match) => match?.[1]?.trim() ?? [])
}

function headOf(folded: string): string | null {
  return /^([^\s:][^:\n]{1,23}?)\s?:\s?(?!\/\/)/.exec(frontOf(folded))?.[1] ?? null
}

const FRONT_LENGTH = 32

function frontOf(folded: string): string {
  return folded.slice(LEAD.exec(folded)?.[0].length ?? 0).slice(0, FRONT_LENGTH)
}

const LEAD = /^\s{0,9}(?:<#>|\[#\]|\[web발신\]|\[국외발신\])?\s{0,9}/

/** Finds hosts that are used as names: `code for kufar.by`. A link leads elsewhere and names no service. */
function namesAsHosts(book: SenderBook, text: MessageText, { pays }: Brands): Brand[] {
  if (pays) return []
  return text.links.flatMap((link) => {
    const meaning = link.linked ? undefined : domainOf(book, link)
    const standing = meaning === undefined ? 'plain' : standingOf(text, link)
    const gives = standing === 'signed' || standing === 'owner' || standing === 'target'
    return gives && meaning !== undefined
      ? [{ services: meaning.services, start: link.start, end: link.end, said: link.host, isProduct: false }]
      : []
  })
}

/** Returns the service of a link: looks up the host with its path, then the host, then its parent hosts. */
function domainOf(book: SenderBook, { host, path }: { host: string; path: string }): Meaning | undefined {
  const first = `${host}${/^\/[^/?#]+/.exec(path)?.[0] ?? ''}`
  const labels = host.split('.')
  const above = labels.slice(0, -1).map((_, at) => labels.slice(at).join('.'))
  return [first, ...above].map((name) => book.index().domains.get(name)).find((meaning) => meaning !== undefined)
}

/** If several brands give the code, they are only hints, unless the sender belongs to one of them. */
function amongGivers(book: SenderBook, givers: readonly Brand[], sender: readonly string[] | null): Naming {
  const fitting = withoutShorter(givers)
  const common = intersection(fitting.map((brand) => brand.services))
  if (common.length > 0) return named(book, 'text', common)
  const chosen = fitting.find(({ services }) => sender?.some((code) => services.includes(code)) === true)
  if (chosen !== undefined) return named(book, 'text', chosen.services)
  return hinted([...servicesOf(fitting), ...(sender ?? [])])
}

/** Drops a brand that is part of a longer brand: `WhatsApp` beside `WhatsApp Business`. */
function withoutShorter(brands: readonly Brand[]): readonly Brand[] {
  return brands.filter(
    ({ said }) => !brands.some((other) => other.said.length > said.length && other.said.includes(said)),
  )
}

function intersection(lists: readonly (readonly string[])[]): readonly string[] {
  const [first = [], ...others] = lists
  return first.filter((code) => others.every((list) => list.includes(code)))
}

function isOneFamily(book: SenderBook, services: readonly string[], sender: readonly string[]): boolean {
  return services.some((code) => sender.some((other) => book.familyOf(other) === book.familyOf(code)))
}
