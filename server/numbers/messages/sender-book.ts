import { fold, toPlain } from './codes/plain-text.ts'
import { type Families, readFamilies } from './families.ts'
import { namesOfSender } from './sender-name.ts'
import type { SenderFacts, Sign } from './sign.ts'
import { buildSignIndex, keyOf, type SignIndex } from './sign-index.ts'

/** Signs of services, ready for naming messages. Loaded whole; one process owns it. */
export class SenderBook {
  readonly #families: Families = readFamilies()
  #facts: Pick<SenderFacts, 'signs' | 'services'> = { signs: [], services: [] }
  #index: SignIndex | null = null
  #known: ReadonlySet<string> = new Set()
  #ignored: ReadonlyMap<string, 'seed' | 'staff'> = new Map()

  /** Built when first asked for. The process asks before a message has to wait for it. */
  index(): SignIndex {
    this.#index ??= buildSignIndex(this.#facts, this.#families)
    return this.#index
  }

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
    this.#facts = { signs, services: facts.services }
    this.#index = null
    this.#known = this.#knownOf(signs)
    this.#ignored = new Map(facts.ignored.map(({ sender, source }) => [fold(toPlain(sender)).trim(), source]))
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

/** A learnt sender never stands against the seed or staff. */
function withoutDoubtfulLearnt(signs: readonly Sign[]): Sign[] {
  const said = new Set(signs.filter((sign) => sign.kind === 'sender' && sign.source !== 'learnt').map(keyOf))
  return signs.filter((sign) => sign.source !== 'learnt' || !said.has(keyOf(sign)))
}
