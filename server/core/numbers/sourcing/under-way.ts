import type { Clock } from '#server/house/clock.ts'
import { perContext } from '#server/house/memory.ts'

type Made = { id: bigint; created_at: Date }

/** The orders that this process works on, and sweeps skip. A crash or an outage left every other unsettled order. */
export class UnderWay extends Set<bigint> {
  /** The statements that have no reply yet; the ids of the orders that they make are unknown. */
  readonly #making = new Set<{ at: Date }>()

  /** Runs the statement that makes an order at `at`. The order counts as in progress from now until `delete`. */
  async make<Row extends { id: bigint }>(at: Date, statement: () => Promise<Row | null>): Promise<Row | null> {
    const mark = { at }
    this.#making.add(mark)
    try {
      const made = await statement()
      if (made !== null) this.add(made.id)
      return made
    } finally {
      this.#making.delete(mark)
    }
  }

  /** Returns a function that tells if a statement pending now still has no reply, so that its order is unknown. */
  makingNow(): () => boolean {
    const unanswered = [...this.#making]
    return () => unanswered.some((mark) => this.#making.has(mark))
  }

  /**
   * Returns a predicate for orders that are listed afterwards: true if this process does not work on the order. Must be
   * called before the orders are listed, so that orders that end or begin meanwhile are left out. An order with a time
   * in the future was made before the clock was set back.
   */
  leftBehind(clock: Clock): (row: Made) => boolean {
    const oldest = Math.min(clock.now().getTime(), ...[...this.#making].map(({ at }) => at.getTime()))
    const before = new Set<bigint>(this)
    return ({ id, created_at: madeAt }) => {
      if (before.has(id) || this.has(id) || this.#isMaking(madeAt)) return false
      return madeAt.getTime() < oldest || madeAt > clock.now()
    }
  }

  #isMaking(at: Date): boolean {
    return [...this.#making].some((mark) => mark.at.getTime() === at.getTime())
  }
}

const LOST = 'nothing: the sweep settles what was being bought'

export const reservingOf = perContext(
  'purchases under way',
  { scope: 'process', nodes: 'own', lost: LOST },
  () => new UnderWay(),
)

/** Returns the set of rentals that this process is buying or extending. */
export const rentingOf = perContext(
  'rentals under way',
  { scope: 'process', nodes: 'own', lost: LOST },
  () => new UnderWay(),
)
