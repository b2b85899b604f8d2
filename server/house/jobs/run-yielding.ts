import { setImmediate as yieldToOthers } from 'node:timers/promises'

/** Long work in pieces of some milliseconds: each `yield` is a place where the event loop may serve others. */
export type Yielding<Result, Piece = void> = Generator<Piece, Result, void>

/** Runs the work; other requests are served between two pieces. */
export async function runYielding<Result, Piece>(work: Yielding<Result, Piece>): Promise<Result> {
  for (;;) {
    const { done, value } = work.next()
    if (done === true) return value
    await yieldToOthers()
  }
}

/** Runs the work without a pause, for small work or where nobody else is served. */
export function runWithoutYielding<Result, Piece>(work: Yielding<Result, Piece>): Result {
  for (;;) {
    const { done, value } = work.next()
    if (done === true) return value
  }
}
