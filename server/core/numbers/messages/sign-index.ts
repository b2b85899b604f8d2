import { fold, toPlain } from './codes/plain-text.ts'
import type { Families } from './families.ts'
import type { SenderFacts, Sign, SignKind } from './sign.ts'
import { WordIndex } from './word-index.ts'

/**
 * The meaning of a sign (brand word, sender, domain or hash). In `services` the sign's own service comes first. A
 * phrase that hides a brand has no service. `giverOnly` means that the sign counts only with a code.
 */
export type Meaning = {
  services: readonly string[]
  kind: SignKind
  weak: boolean
  giverOnly: boolean
  learnt: boolean
}

export type SignIndex = {
  words: WordIndex<Meaning>
  /** The key is a sender name in lower case. */
  senders: ReadonlyMap<string, Meaning>
  /** The key is a host, or a host with the beginning of a path. */
  domains: ReadonlyMap<string, Meaning>
  /** The key is a hash in lower case, because some gateways lose the case. */
  hashes: ReadonlyMap<string, Meaning>
}

/**
 * Builds the index of signs (words, senders and domains that tell the service of an SMS). Takes some 20 ms for the
 * seed.
 */
export function buildSignIndex(facts: Pick<SenderFacts, 'signs' | 'services'>, families: Families): SignIndex {
  const meanings = new Map<string, { sign: Sign; owners: string[] }>()
  for (const sign of facts.signs) {
    const key = `${sign.kind} ${sign.strength} ${keyOf(sign)}`
    const entry = meanings.get(key) ?? { sign, owners: [] }
    entry.owners.push(sign.serviceCode)
    meanings.set(key, entry)
  }
  const words = new WordIndex<Meaning>()
  const maps = {
    sender: new Map<string, Meaning>(),
    domain: new Map<string, Meaning>(),
    hash: new Map<string, Meaning>(),
  }
  for (const { sign, owners } of meanings.values()) {
    const { kind, strength } = sign
    const giverOnly = strength === 'common'
    const meaning = {
      services: withTakers(families, owners, kind),
      kind,
      weak: strength === 'weak',
      giverOnly,
      learnt: sign.source === 'learnt',
    }
    if (kind === 'word' || kind === 'prefix') words.add(sign.value, { asWritten: giverOnly, meaning })
    else addStronger(maps[kind], keyOf(sign), meaning)
  }
  for (const phrase of NOT_THE_BRAND) words.add(phrase, { asWritten: false, meaning: NOBODY })
  addNames(words, facts, families)
  return { words, senders: maps.sender, domains: maps.domain, hashes: maps.hash }
}

function withTakers(families: Families, owners: readonly string[], kind: SignKind): readonly string[] {
  return [...new Set([...owners, ...owners.flatMap((owner) => families.takersOf(owner, kind))])]
}

/** Adds catalogue names as weak hints for services without signs or family. */
function addNames(
  words: WordIndex<Meaning>,
  { signs, services }: Pick<SenderFacts, 'signs' | 'services'>,
  families: Families,
): void {
  const signed = new Set(signs.map((sign) => sign.serviceCode))
  for (const { code, name_en, name_ru } of services) {
    if (signed.has(code) || CATCH_ALL.has(code) || families.of(code) !== code) continue
    const parts = `${name_en},${name_ru}`.replaceAll(/\([^)]*\)/g, '').split(',')
    for (const name of new Set(parts.map((part) => part.trim()))) {
      if (name.length < MIN_NAME_LENGTH) continue
      words.add(name, { asWritten: true, meaning: { ...NOBODY, services: [code], weak: true, giverOnly: true } })
    }
  }
}

/**
 * Returns the key of a sign (a brand word, sender or domain) in the index. Words keep their case, because some words
 * are compared with their case.
 */
export function keyOf({ kind, value }: Sign): string {
  return kind === 'word' || kind === 'prefix' ? toPlain(value) : fold(toPlain(value)).trim()
}

function addStronger(map: Map<string, Meaning>, key: string, meaning: Meaning): void {
  if (map.get(key)?.weak !== false) map.set(key, meaning)
}

/** The minimum length of a catalogue name that is used as a hint. Shorter names are too often ordinary words. */
const MIN_NAME_LENGTH = 5
/** Services that stand for many services, such as “any other”. Their names prove nothing. */
const CATCH_ALL: ReadonlySet<string> = new Set(['ot', 'full', 'md', 'pc', 'lb', 'bcp'])
/** Phrases that contain a brand but do not name it. A bank's text may have them although the code is the bank's. */
const NOT_THE_BRAND = ['Apple Pay', 'Google Pay', 'Samsung Pay', 'Apple.com/bill', 'Sign in with Apple']
const NOBODY: Meaning = { services: [], kind: 'word', weak: false, giverOnly: false, learnt: false }
