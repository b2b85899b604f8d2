import { SECOND } from '#contract/time.ts'
import { sandboxFull } from '#server/house/errors/buying-errors.ts'
import { Semaphore } from '#server/house/limits/semaphore.ts'
import { perContext } from '#server/house/memory.ts'
import { type FairLimit, hasRoom } from './fair-limit.ts'
import type { PlayOpen } from './queries/play-open.ts'

type Kind = PlayOpen['kind']

/** The maximum numbers of open numbers of all sandbox accounts together. Tests lower them. */
const LIMITS: Record<Kind, FairLimit> = {
  activation: { usual: 2_000, share: 5, most: 3_000 },
  // A rental may last for months, so fewer rentals than activations are allowed.
  rental: { usual: 500, share: 2, most: 1_000 },
}
/** The time for which a count from the database is cached. A freed place becomes visible only after this time. */
const COUNT_EVERY_MS = 5 * SECOND
/** The maximum number of the pool's ten connections that sandbox purchases use. Further purchases wait. */
const PARALLEL = 2
/** The maximum number of sandbox purchases that wait for a connection, about half a second of work. */
const MOST_WAITING: FairLimit = { usual: 100, share: 3, most: 300 }
/** The maximum time that a sandbox purchase waits for a connection, the same as for a real purchase. */
const LONGEST_WAIT_MS = 5 * SECOND
const COME_AGAIN_SECONDS = 5

type Place = { userId: number; kind: Kind; state: 'waiting' | 'begun' | 'taken' }

/**
 * Limits the open sandbox numbers. The count is a snapshot of the database plus the purchases begun since in this
 * process, which takes a place synchronously, so that no burst exceeds a limit. The count may be too high for a moment.
 * It lacks what other nodes have begun since the snapshot, which the rate limit of all nodes bounds.
 */
export class PlayNumberLimit {
  limits = LIMITS
  mostWaiting = MOST_WAITING
  longestWaitMs = LONGEST_WAIT_MS
  readonly #connections = new Semaphore({ parallel: PARALLEL })
  #counted: readonly PlayOpen[] = []
  #countedAt = Number.NEGATIVE_INFINITY
  #counting: Promise<void> | null = null
  readonly #begun = new Map<number, Place>()
  #lastBegun = 0

  /**
   * Runs `hold`, which opens a number or returns null, if a place is free; `count` queries the database. Throws
   * SANDBOX_FULL if the limit or the queue is full, or after too long a wait for the database. A purchase that has
   * begun is not aborted.
   */
  async take<Order>(
    wanted: { userId: number; kind: Kind; replaces: boolean },
    { now, count, hold }: { now: Date; count: () => Promise<PlayOpen[]>; hold: () => Promise<Order | null> },
  ): Promise<Order | null> {
    await this.#count(now, count)
    if (!wanted.replaces && !this.#hasRoom(wanted)) throw sandboxFull(COME_AGAIN_SECONDS)
    if (!this.#mayWait(wanted.userId)) throw sandboxFull(COME_AGAIN_SECONDS)
    this.#lastBegun += 1
    const begun = this.#lastBegun
    const place: Place = { userId: wanted.userId, kind: wanted.kind, state: 'waiting' }
    this.#begun.set(begun, place)
    const holdNow = () => {
      place.state = 'begun'
      return hold()
    }
    const limit = { waitMs: this.longestWaitMs, late: () => sandboxFull(COME_AGAIN_SECONDS) }
    try {
      const order = await this.#connections.run(holdNow, { limit })
      if (order !== null) place.state = 'taken'
      return order
    } finally {
      if (place.state !== 'taken') this.#begun.delete(begun)
    }
  }

  #mayWait(userId: number): boolean {
    const waiting = [...this.#begun.values()].filter(({ state }) => state === 'waiting')
    const own = waiting.filter((place) => place.userId === userId).length
    return hasRoom(this.mostWaiting, { all: waiting.length, own })
  }

  #hasRoom({ userId, kind }: { userId: number; kind: Kind }): boolean {
    const begun = [...this.#begun.values()].map((place) => ({ ...place, count: 1 }))
    const ofKind = [...this.#counted, ...begun].filter((one) => one.kind === kind)
    const sum = (ones: typeof ofKind) => ones.reduce((all, { count }) => all + count, 0)
    return hasRoom(this.limits[kind], { all: sum(ofKind), own: sum(ofKind.filter((one) => one.userId === userId)) })
  }

  async #count(now: Date, count: () => Promise<PlayOpen[]>): Promise<void> {
    // `Math.abs` handles a clock that is set back.
    if (Math.abs(now.getTime() - this.#countedAt) < COUNT_EVERY_MS) return
    this.#counting ??= this.#countAnew(now, count).finally(() => {
      this.#counting = null
    })
    await this.#counting
  }

  async #countAnew(now: Date, count: () => Promise<PlayOpen[]>): Promise<void> {
    // The query sees every place taken so far. A place stored during the query may count twice until the next query.
    const stored = [...this.#begun].filter(([, { state }]) => state === 'taken')
    this.#counted = await count()
    this.#countedAt = now.getTime()
    for (const [begun] of stored) this.#begun.delete(begun)
  }
}

export const playNumberLimitOf = perContext(
  'limit of play numbers',
  { scope: 'process', nodes: 'told', lost: 'nothing: open play numbers are counted again' },
  () => new PlayNumberLimit(),
)
