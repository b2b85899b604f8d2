import { setImmediate as yieldToOthers } from 'node:timers/promises'

/** Long work in pieces of some milliseconds. At each `yield` the event loop may serve other requests. */
export type Yielding<Result, Piece = void> = Generator<Piece, Result, void>

export async function runYielding<Result, Piece>(work: Yielding<Result, Piece>): Promise<Result> {
  for (;;) {
    const { done, value } = work.next()
    if (done === true) return value
    await yieldToOthers()
  }
}

/** Runs work without a pause, for small work and for programs that serve no requests. */
export function runWithoutYielding<Result, Piece>(work: Yielding<Result, Piece>): Result {
  for (;;) {
    const { done, value } = work.next()
    if (done === true) return value
  }
}
