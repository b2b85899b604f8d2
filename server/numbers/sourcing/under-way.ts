import type { Clock } from '#server/clock.ts'

/** An order as far as it matters whether somebody works on it. */
type Made = { id: bigint; created_at: Date }

/**
 * The orders of one kind that this process is working on, by their ids: sweeps leave them alone. All others that wait for
 * an outcome were left behind, however young they are.
 */
export class UnderWay extends Set<bigint> {
  /** Statements whose answer has not come: what they make is known only when it has. */
  readonly #making = new Set<{ at: Date }>()

  /**
   * Runs the statement that makes an order at `at`, as the row will say. What it made is under way without a gap, until
   * whoever made it says `delete`.
   */
  async make<Made>(
    at: Date,
    steps: { statement: () => Promise<Made | null>; idOf: (made: Made) => bigint },
  ): Promise<Made | null> {
    const mark = { at }
    this.#making.add(mark)
    try {
      const made = await steps.statement()
      if (made !== null) this.add(steps.idOf(made))
      return made
    } finally {
      this.#making.delete(mark)
    }
  }

  /** Says, whenever it is called, whether a statement that has no answer now still has none: it may have made any order. */
  makingNow(): () => boolean {
    const unanswered = [...this.#making]
    return () => unanswered.some((mark) => this.#making.has(mark))
  }

  /**
   * Says of an order that was listed afterwards whether nobody here works on it. To be asked before they are listed: one that
   * ends between the list and the look at it was not left behind, nor was one that is being made since. One that bears a later
   * time than now was made before the clock was set back.
   */
  leftBehind(clock: Clock): (row: Made) => boolean {
    const oldest = Math.min(clock.now().getTime(), ...[...this.#making].map(({ at }) => at.getTime()))
    const before = new Set<bigint>(this)
    return ({ id, created_at: madeAt }) => {
      if (before.has(id) || this.has(id) || this.#isMaking(madeAt)) return false
      return madeAt.getTime() < oldest || madeAt > clock.now()
    }
  }

  /** What is made at this time is known only when its statement has answered. */
  #isMaking(at: Date): boolean {
    return [...this.#making].some((mark) => mark.at.getTime() === at.getTime())
  }
}
