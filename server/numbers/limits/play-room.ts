import { SECOND } from '#contract/time.ts'
import { sandboxFull } from '#server/buying-errors.ts'
import { createLane, type Lane } from '#server/numbers/delivery/lane.ts'
import { type FairLimit, hasRoom } from './fair-limit.ts'
import type { PlayOpen } from './queries/play-open.ts'

type Kind = PlayOpen['kind']

/** Numbers open at once, of all sandbox accounts together. Tests lower them. */
const LIMITS: Record<Kind, FairLimit> = {
  activation: { usual: 2_000, share: 5, most: 3_000 },
  // A rental may last for months.
  rental: { usual: 500, share: 2, most: 1_000 },
}
/** What has ended meanwhile is noticed so late. */
const COUNT_EVERY_MS = 5 * SECOND
/** Of the pool's ten connections; the others of a burst wait. */
const PARALLEL = 2

type Place = { userId: number; kind: Kind; isTaken: boolean }

/**
 * How many play numbers are open, as the database counted them, and those begun since. One process serves a database, and a place
 * is taken in one step, so no burst gets past a limit. It may count too many for a moment, never too few.
 */
export class PlayRoom {
  limits = LIMITS
  readonly #lane: Lane = createLane({ parallel: PARALLEL })
  #counted: readonly PlayOpen[] = []
  #countedAt = Number.NEGATIVE_INFINITY
  #counting: Promise<void> | null = null
  readonly #begun = new Map<number, Place>()
  #lastBegun = 0

  /** Runs `hold`, which opens a number unless it gives null. `count` asks the database. Throws SANDBOX_FULL. */
  async take<Order>(
    wanted: { userId: number; kind: Kind; replaces: boolean },
    { now, count, hold }: { now: Date; count: () => Promise<PlayOpen[]>; hold: () => Promise<Order | null> },
  ): Promise<Order | null> {
    await this.#count(now, count)
    if (!wanted.replaces && !this.#hasRoom(wanted)) throw sandboxFull(COUNT_EVERY_MS / SECOND)
    this.#lastBegun += 1
    const begun = this.#lastBegun
    const place = { userId: wanted.userId, kind: wanted.kind, isTaken: false }
    this.#begun.set(begun, place)
    try {
      const order = await this.#lane.run(String(begun), hold)
      place.isTaken = order !== null
      return order
    } finally {
      if (!place.isTaken) this.#begun.delete(begun)
    }
  }

  #hasRoom({ userId, kind }: { userId: number; kind: Kind }): boolean {
    const begun = [...this.#begun.values()].map((place) => ({ ...place, count: 1 }))
    const ofKind = [...this.#counted, ...begun].filter((one) => one.kind === kind)
    const sum = (ones: typeof ofKind) => ones.reduce((all, { count }) => all + count, 0)
    return hasRoom(this.limits[kind], { all: sum(ofKind), own: sum(ofKind.filter((one) => one.userId === userId)) })
  }

  async #count(now: Date, count: () => Promise<PlayOpen[]>): Promise<void> {
    // A clock may go back.
    if (Math.abs(now.getTime() - this.#countedAt) < COUNT_EVERY_MS) return
    this.#counting ??= this.#countAnew(now, count).finally(() => {
      this.#counting = null
    })
    await this.#counting
  }

  async #countAnew(now: Date, count: () => Promise<PlayOpen[]>): Promise<void> {
    // The query sees what is stored by now. What is stored beside it may be counted twice, until the next time.
    const stored = [...this.#begun].filter(([, { isTaken }]) => isTaken)
    this.#counted = await count()
    this.#countedAt = now.getTime()
    for (const [begun] of stored) this.#begun.delete(begun)
  }
}
