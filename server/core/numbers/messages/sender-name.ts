import { readSeedTable } from '#server/house/seed/read-seed-table.ts'
import { fold, toPlain } from './codes/plain-text.ts'

/**
 * Returns folded names of a sender: as it came, decoded, or the core of an Indian header. Generic names are dropped.
 */
export function namesOfSender(sender: string): string[] {
  return namesOf(fold(toPlain(sender)).trim())
}

function namesOf(whole: string): string[] {
  const decoded = decodeLetters(whole)
  const names = decoded === null ? [whole, ...cutIndianHeader(whole)] : [decoded]
  return names.filter((name) => !isGenericSender(name))
}

/** True for a name that gateways use for many firms. `name` is folded. */
export function isGenericSender(name: string): boolean {
  return name === '' || GENERAL.has(name.replaceAll(/[ _.-]/g, ''))
}

/** The kind `letters` is a name that may be known for a service. */
export function kindOfSender(sender: string): 'number' | 'general' | 'letters' | 'none' {
  const whole = fold(toPlain(sender)).trim()
  if (whole === '') return 'none'
  const names = namesOf(whole)
  if (names.some((name) => /\p{L}/u.test(name)) && !isGeneralHeader(whole)) return 'letters'
  return /\p{L}/u.test(whole) ? 'general' : 'number'
}

/** True for a header like `VK-INFO-S`, whose core is general. */
function isGeneralHeader(whole: string): boolean {
  const cores = cutIndianHeader(whole)
  return cores.length > 0 && cores.every(isGenericSender)
}

/** True for names but not for numbers. `name` is folded. */
export function mayBeLearnt(name: string): boolean {
  return /\p{L}/u.test(name) && name.length >= 3 && name.length <= 11 && !isGenericSender(name)
}

/** Cuts Indian headers like `VK-SWIGGY-S`: operator and region, the name, and since 2025 the kind of message. */
function cutIndianHeader(name: string): string[] {
  const header = /^[a-z]{2}-([a-z0-9]{3,9})(?:-[stpg])?$/.exec(name)?.[1]
  if (header !== undefined) return [header]
  const kept = /^([a-z0-9]{3,9})-[stpg]$/.exec(name)?.[1]
  return kept === undefined ? [] : [kept]
}

/** Fewer letters could be a short code by chance. */
const MIN_DECODED = 4

/** Some modems write letters as decimal codes: `71826566` is GRAB. Returns null for a plain number. */
function decodeLetters(name: string): string | null {
  if (!/^\d{8,64}$/.test(name)) return null
  let letters = ''
  for (let at = 0; at < name.length; ) {
    const length = name.startsWith('1', at) ? 3 : 2
    const unit = Number(name.slice(at, at + length))
    const isLetter = (unit >= 65 && unit <= 90) || (unit >= 97 && unit <= 122)
    if (!isLetter) return null
    letters += String.fromCharCode(unit)
    at += length
  }
  return letters.length >= MIN_DECODED ? letters.toLowerCase() : null
}

/** General names of gateways, without spaces, dots and dashes. */
const GENERAL: ReadonlySet<string> = new Set(
  readSeedTable(new URL('seed/general-senders.tsv', import.meta.url).href, ['kind', 'senders']).flatMap(({ senders }) =>
    senders.split('|'),
  ),
)
