import { perContext } from '#server/house/memory.ts'
import { fold, toPlain } from './codes/plain-text.ts'
import { type Families, readFamilies } from './families.ts'
import { namesOfSender } from './sender-name.ts'
import type { IgnoredBy, SenderFacts, Sign } from './sign.ts'
import { buildSignIndex, keyOf, type SignIndex } from './sign-index.ts'

export class SenderBook {
  readonly #families: Families = readFamilies()
  #facts: Pick<SenderFacts, 'signs' | 'services'> = { signs: [], services: [] }
  #index: SignIndex | null = null
  #known: ReadonlySet<string> = new Set()
  #ignored: ReadonlyMap<string, IgnoredBy> = new Map()
  #ignoredPatterns: readonly RegExp[] = []

  /** Returns the index of signs, built by the first call, which the process makes before the first message. */
  index(): SignIndex {
    this.#index ??= buildSignIndex(this.#facts, this.#families)
    return this.#index
  }

  familyOf(serviceCode: string): string {
    return this.#families.of(serviceCode)
  }

  /** Returns true if the service's senders are known. If they are not, only its name identifies its messages. */
  sendersKnown(serviceCode: string): boolean {
    return this.#known.has(serviceCode)
  }

  /** Returns who set the sender to be ignored, or null. Staff override the seed, and the seed overrides learning. */
  ignoredBy(sender: string): IgnoredBy | null {
    const whole = fold(toPlain(sender)).trim()
    const names = [whole, ...namesOfSender(sender)]
    if (this.#ignoredPatterns.some((pattern) => names.some((name) => pattern.test(name)))) return 'staff'
    const found = names.map((name) => this.#ignored.get(name))
    return (['staff', 'seed', 'learnt'] as const).find((by) => found.includes(by)) ?? null
  }

  load(facts: SenderFacts): void {
    const signs = withoutDoubtfulLearnt(facts.signs)
    this.#facts = { signs, services: facts.services }
    this.#index = null
    this.#known = this.#knownOf(signs)
    this.#ignoredPatterns = facts.ignored
      .filter(({ sender, source }) => source === 'staff' && sender.includes('*'))
      .map(({ sender }) => patternOf(sender))
    this.#ignored = new Map(facts.ignored.map(({ sender, source }) => [fold(toPlain(sender)).trim(), source]))
  }

  /** A service without signs of its own counts as known if the service whose signs it takes is known. */
  #knownOf(signs: readonly Sign[]): Set<string> {
    const known = new Set(signs.filter((sign) => sign.known).map((sign) => sign.serviceCode))
    const signed = new Set(signs.map((sign) => sign.serviceCode))
    for (const owner of [...known]) {
      for (const taker of this.#families.takersOf(owner, 'word')) if (!signed.has(taker)) known.add(taker)
    }
    return known
  }
}

function patternOf(sender: string): RegExp {
  const parts = fold(toPlain(sender)).trim().split('*')
  return new RegExp(`^${parts.map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('.*')}$`)
}

/** Drops learnt senders that the seed or staff assign too, because seed and staff override learning. */
function withoutDoubtfulLearnt(signs: readonly Sign[]): Sign[] {
  const said = new Set(signs.filter((sign) => sign.kind === 'sender' && sign.source !== 'learnt').map(keyOf))
  return signs.filter((sign) => sign.source !== 'learnt' || !said.has(keyOf(sign)))
}

export const senderBookOf = perContext(
  'known senders',
  { scope: 'process', nodes: 'told', lost: 'nothing: it is read from the tables' },
  () => new SenderBook(),
)
