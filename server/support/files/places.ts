import { tooBusy, tooManyRequests } from '#server/errors.ts'

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

  /** Returns what frees the place, once. Throws TOO_MANY_REQUESTS. */
  take({ userId, network }: Holder): () => void {
    const { all, ofPerson, ofNetwork } = this.#limits
    const holder = { userId, network }
    if (this.#count((held) => held.userId === userId) >= ofPerson) throw tooManyRequests(COME_AGAIN_SECONDS)
    const isCrowded = this.#held.size * 2 > all
    const isFull = this.#held.size >= all || (isCrowded && this.#count((held) => held.network === network) >= ofNetwork)
    if (isFull) throw tooBusy(COME_AGAIN_SECONDS)
    this.#held.add(holder)
    return () => {
      this.#held.delete(holder)
    }
  }

  #count(fits: (held: Holder) => boolean): number {
    let count = 0
    for (const held of this.#held) if (fits(held)) count += 1
    return count
  }
}
