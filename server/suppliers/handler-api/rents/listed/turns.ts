/** So many may wait. */
const MOST_WAITING = 20

/** One after the other. Throws when too many wait: nothing has begun then. */
export function createTurns(): <Result>(work: () => Promise<Result>) => Promise<Result> {
  let last: Promise<unknown> = Promise.resolve()
  let waiting = 0
  return async (work) => {
    if (waiting >= MOST_WAITING) throw new Error('too many wait for their turn at the supplier')
    waiting += 1
    const mine = last.then(work).finally(() => {
      waiting -= 1
    })
    // A failure is its caller's; the next one begins all the same.
    last = mine.then(
      () => undefined,
      () => undefined,
    )
    return mine
  }
}
