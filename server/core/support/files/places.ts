import { tooBusy, tooManyRequests } from '#server/house/errors/errors.ts'

export type PlaceLimits = {
  all: number
  ofPerson: number
  /** The maximum number of file bodies in memory for one network, if more than half of all places are taken. */
  ofNetwork: number
}
export type Holder = { userId: number; network: string }

const COME_AGAIN_SECONDS = 2

/** Limits how many file bodies are in memory: in all, per user and per network. A request never waits for a place. */
export class Places {
  readonly #limits: PlaceLimits
  readonly #held = new Set<Holder>()

  constructor(limits: PlaceLimits) {
    this.#limits = limits
  }

  get count(): number {
    return this.#held.size
  }

  /** Takes a place and returns a function that frees it. Throws TOO_MANY_REQUESTS. */
  take({ userId, network }: Holder): () => void {
    const holder = { userId, network }
    if (this.#hasOwn(holder)) throw tooManyRequests(COME_AGAIN_SECONDS)
    if (this.fullOf(holder) !== null) throw tooBusy(COME_AGAIN_SECONDS)
    this.#held.add(holder)
    return () => {
      this.#held.delete(holder)
    }
  }

  /** Returns the limit that is reached: `network` or `all`. Returns null if it is neither or the user's own. */
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
