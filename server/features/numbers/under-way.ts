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
   * What nobody here works on: orders made until `before` for which `isOrphan` holds. To be asked before they are listed:
   * one that ends between the list and the look at it was not left behind.
   */
  leftBehind(now: Date): { before: Date; isOrphan: (row: { id: bigint }) => boolean } {
    const oldest = Math.min(now.getTime(), ...[...this.#making].map(({ at }) => at.getTime()))
    const underWay = new Set<bigint>(this)
    return { before: new Date(oldest - 1), isOrphan: ({ id }) => !underWay.has(id) }
  }
}
