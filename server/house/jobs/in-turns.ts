import { setImmediate as nextTurn } from 'node:timers/promises'

/** Long work cut into pieces of some milliseconds. At each `yield` the event loop may run other work. */
export type InPieces<Result, Piece = void> = Generator<Piece, Result, void>

/** Runs the work and lets the event loop serve others between two pieces. */
export async function inTurns<Result, Piece>(work: InPieces<Result, Piece>): Promise<Result> {
  for (;;) {
    const { done, value } = work.next()
    if (done === true) return value
    await nextTurn()
  }
}

/** Runs the work without a pause, for small work or where nobody else is served. */
export function atOnce<Result, Piece>(work: InPieces<Result, Piece>): Result {
  for (;;) {
    const { done, value } = work.next()
    if (done === true) return value
  }
}
