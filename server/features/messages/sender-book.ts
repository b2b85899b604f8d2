import { type Families, readFamilies } from './families.ts'
import { fold, toPlain } from './plain-text.ts'
import { namesOfSender } from './sender-name.ts'
import { WordIndex } from './word-index.ts'

export type SignKind = 'sender' | 'word' | 'domain' | 'hash' | 'prefix'
/** `proven` names its service; `common` is also an ordinary word, and names it only where the text gives a code for it; `weak` hints. */
export type Strength = 'proven' | 'common' | 'weak'
export type SignSource = 'seed' | 'staff' | 'learnt'

/** What a message of a service is known by. `known`: seen on real messages, or said by staff; a brand's name alone is not. */
export type Sign = {
  serviceCode: string
  kind: SignKind
  value: string
  strength: Strength
  source: SignSource
  known: boolean
}

export type SenderFacts = {
  signs: readonly Sign[]
  ignored: readonly { sender: string; source: 'seed' | 'staff' }[]
  /** Names of the catalogue: weak hints for services without a sign. */
  services: readonly { code: string; name_en: string; name_ru: string }[]
}

/**
 * Services of one sign, its own first, then those that take its messages too; none: a phrase that hides the brand in it.
 * `giverOnly`: it counts only where the text gives a code for it. `learnt`: neither the seed nor staff say it.
 */
export type Meaning = {
  services: readonly string[]
  kind: SignKind
  weak: boolean
  giverOnly: boolean
  learnt: boolean
}

/** Signs of services, ready for naming messages. Loaded whole; one process owns it. */
export class SenderBook {
  words = new WordIndex<Meaning>()
  /** By folded name. */
  senders: ReadonlyMap<string, Meaning> = new Map()
  /** By host, or host and beginning of the path. */
  domains: ReadonlyMap<string, Meaning> = new Map()
  /** By the hash in lower case: some gateways lose its case. */
  hashes: ReadonlyMap<string, Meaning> = new Map()
  readonly #families: Families = readFamilies()
  #known: ReadonlySet<string> = new Set()
  #ignored: ReadonlyMap<string, 'seed' | 'staff'> = new Map()

  /** Services that share senders have one family; a service without one is its own. */
  familyOf(serviceCode: string): string {
    return this.#families.of(serviceCode)
  }

  /** Whether its messages are told from others by more than the service's name. */
  sendersKnown(serviceCode: string): boolean {
    return this.#known.has(serviceCode)
  }

  /** Who says that messages of this sender belong to nobody. Null: nobody. */
  ignoredBy(sender: string): 'seed' | 'staff' | null {
    const whole = fold(toPlain(sender)).trim()
    const found = [whole, ...namesOfSender(sender)].map((name) => this.#ignored.get(name))
    return found.find((by) => by === 'staff') ?? found.find((by) => by === 'seed') ?? null
  }

  load(facts: SenderFacts): void {
    const signs = withoutDoubtfulLearnt(facts.signs)
    const meanings = new Map<string, { sign: Sign; owners: string[] }>()
    for (const sign of signs) {
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
        services: this.#withTakers(owners, kind),
        kind,
        weak: strength === 'weak',
        giverOnly,
        learnt: sign.source === 'learnt',
      }
      if (kind === 'word' || kind === 'prefix') words.add(sign.value, { asWritten: giverOnly, meaning })
      else addStronger(maps[kind], keyOf(sign), meaning)
    }
    for (const phrase of NOT_THE_BRAND) words.add(phrase, { asWritten: false, meaning: NOBODY })
    this.#addNames(words, facts)
    this.words = words
    this.senders = maps.sender
    this.domains = maps.domain
    this.hashes = maps.hash
    this.#known = this.#knownOf(signs)
    this.#ignored = new Map(facts.ignored.map(({ sender, source }) => [fold(toPlain(sender)).trim(), source]))
  }

  #withTakers(owners: readonly string[], kind: SignKind): readonly string[] {
    return [...new Set([...owners, ...owners.flatMap((owner) => this.#families.takersOf(owner, kind))])]
  }

  /** A name of the catalogue is a hint, for a service without a sign and without another whose signs it takes. */
  #addNames(words: WordIndex<Meaning>, { signs, services }: SenderFacts): void {
    const signed = new Set(signs.map((sign) => sign.serviceCode))
    for (const { code, name_en, name_ru } of services) {
      if (signed.has(code) || CATCH_ALL.has(code) || this.#families.of(code) !== code) continue
      const parts = `${name_en},${name_ru}`.replaceAll(/\([^)]*\)/g, '').split(',')
      for (const name of new Set(parts.map((part) => part.trim()))) {
        if (name.length < MIN_NAME_LENGTH) continue
        words.add(name, { asWritten: true, meaning: { ...NOBODY, services: [code], weak: true, giverOnly: true } })
      }
    }
  }

  /** An alias has no sign of its own: it is known as the service it takes all from. */
  #knownOf(signs: readonly Sign[]): Set<string> {
    const known = new Set(signs.filter((sign) => sign.known).map((sign) => sign.serviceCode))
    const signed = new Set(signs.map((sign) => sign.serviceCode))
    for (const owner of [...known]) {
      for (const taker of this.#families.takersOf(owner, 'word')) if (!signed.has(taker)) known.add(taker)
    }
    return known
  }
}

/** Words keep their case here, because some are compared with it. */
function keyOf({ kind, value }: Sign): string {
  return kind === 'word' || kind === 'prefix' ? toPlain(value) : fold(toPlain(value)).trim()
}

function addStronger(map: Map<string, Meaning>, key: string, meaning: Meaning): void {
  if (map.get(key)?.weak !== false) map.set(key, meaning)
}

/** A learnt sender never stands against the seed or staff. */
function withoutDoubtfulLearnt(signs: readonly Sign[]): Sign[] {
  const said = new Set(signs.filter((sign) => sign.kind === 'sender' && sign.source !== 'learnt').map(keyOf))
  return signs.filter((sign) => sign.source !== 'learnt' || !said.has(keyOf(sign)))
}

/** Shorter names are ordinary words or letters too often. */
const MIN_NAME_LENGTH = 5
/** Services that stand for many: their names say nothing. */
const CATCH_ALL: ReadonlySet<string> = new Set(['ot', 'full', 'md', 'pc', 'lb', 'bcp'])
/** A bank's text names these, and the code is the bank's. */
const NOT_THE_BRAND = ['Apple Pay', 'Google Pay', 'Samsung Pay', 'Apple.com/bill', 'Sign in with Apple']
const NOBODY: Meaning = { services: [], kind: 'word', weak: false, giverOnly: false, learnt: false }
