import { tooBusy, tooManyRequests } from '#server/house/errors/errors.ts'

export type PlaceLimits = {
  all: number
  ofPerson: number
  /** Once more than half of all are taken. */
  ofNetwork: number
}
export type Holder = { userId: number; network: string }

const COME_AGAIN_SECONDS = 2

/** What is in memory while a body is on its way: so much at once, and so much of one. Nobody waits for a place. */
export class Places {
  readonly #limits: PlaceLimits
  readonly #held = new Set<Holder>()

  constructor(limits: PlaceLimits) {
    this.#limits = limits
  }

  get count(): number {
    return this.#held.size
  }

  /** Returns what frees the place, once. Throws TOO_MANY_REQUESTS. */
  take({ userId, network }: Holder): () => void {
    const holder = { userId, network }
    if (this.#hasOwn(holder)) throw tooManyRequests(COME_AGAIN_SECONDS)
    if (this.fullOf(holder) !== null) throw tooBusy(COME_AGAIN_SECONDS)
    this.#held.add(holder)
    return () => {
      this.#held.delete(holder)
    }
  }

  /**
   * Who holds what this one would need: the network that has its share already, or all. Null: there is a place, or the
   * person's own are the reason.
   */
  fullOf(holder: Holder): 'network' | 'all' | null {
    const { all, ofNetwork } = this.#limits
    if (this.#hasOwn(holder)) return null
    const isCrowded = this.#held.size * 2 > all
    if (isCrowded && this.#count(({ network }) => network === holder.network) >= ofNetwork) return 'network'
    return this.#held.size >= all ? 'all' : null
  }

  #hasOwn({ userId }: Holder): boolean {
    return this.#count((held) => held.userId === userId) >= this.#limits.ofPerson
  }

  #count(fits: (held: Holder) => boolean): number {
    let count = 0
    for (const held of this.#held) if (fits(held)) count += 1
    return count
  }
}
