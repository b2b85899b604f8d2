import { readSeedTable } from '#server/house/seed/read-seed-table.ts'
import { fold, toPlain } from './codes/plain-text.ts'

/**
 * Returns the possible names of a sender in lower case: as it came, decoded, or the core of an Indian sender header.
 * Names that SMS gateways use for many firms are dropped.
 */
export function namesOfSender(sender: string): string[] {
  return namesOf(fold(toPlain(sender)).trim())
}

function namesOf(whole: string): string[] {
  const decoded = decodeLetters(whole)
  const names = decoded === null ? [whole, ...cutIndianHeader(whole)] : [decoded]
  return names.filter((name) => !isGenericSender(name))
}

export function isGenericSender(name: string): boolean {
  return name === '' || GENERAL.has(name.replaceAll(/[ _.-]/g, ''))
}

/** Returns the kind of a sender. `letters` is a name that may belong to a service; `general` is a gateway's name. */
export function kindOfSender(sender: string): 'number' | 'general' | 'letters' | 'none' {
  const whole = fold(toPlain(sender)).trim()
  if (whole === '') return 'none'
  const names = namesOf(whole)
  if (names.some((name) => /\p{L}/u.test(name)) && !isGeneralHeader(whole)) return 'letters'
  return /\p{L}/u.test(whole) ? 'general' : 'number'
}

/** Returns true for an Indian sender header like `VK-INFO-S`, whose core is a gateway's general name. */
function isGeneralHeader(whole: string): boolean {
  const cores = cutIndianHeader(whole)
  return cores.length > 0 && cores.every(isGenericSender)
}

/**
 * Returns true if we may learn to which service a sender of this name belongs. Excludes numbers, names of SMS gateways,
 * and names that are too short or too long. `name` is folded (lower case).
 */
export function mayBeLearnt(name: string): boolean {
  return /\p{L}/u.test(name) && name.length >= 3 && name.length <= 11 && !isGenericSender(name)
}

/** Splits an Indian sender header like `VK-SWIGGY-S`: operator and region, name, and the kind (since 2025). */
function cutIndianHeader(name: string): string[] {
  const header = /^[a-z]{2}-([a-z0-9]{3,9})(?:-[stpg])?$/.exec(name)?.[1]
  if (header !== undefined) return [header]
  const kept = /^([a-z0-9]{3,9})-[stpg]$/.exec(name)?.[1]
  return kept === undefined ? [] : [kept]
}

/** The minimum number of decoded letters. A number that decodes to fewer letters may be a short code by chance. */
const MIN_DECODED = 4

/** Decodes a sender that a modem wrote as decimal codes (`71826566` is GRAB). Returns null for a plain number. */
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

/** Sender names that SMS gateways use for many firms, without spaces, dots and dashes. */
const GENERAL: ReadonlySet<string> = new Set(
  readSeedTable(new URL('seed/general-senders.tsv', import.meta.url).href, ['kind', 'senders']).flatMap(({ senders }) =>
    senders.split('|'),
  ),
)
