import { DAY } from '#contract/time.ts'
import { boundedCache } from '#server/house/bounded-cache.ts'
import type { Context } from '#server/house/context.ts'
import { perContext } from '#server/house/memory.ts'

const MAX_GUESSERS = 50_000
const FORGET_MS = DAY

export type GuessLimit = {
  /** Counts a guess as wrong until `forgive`, so call it before the check. A positive result is the wait in ms. */
  take(ctx: Context, guesser: string, now: Date): number
  forgive(ctx: Context, guesser: string): void
}

type Failures = { count: number; at: number; until: number }

/** After the first `free` guesses, the wait doubles with each wrong guess. */
export function createGuessLimit(limit: {
  name: string
  free: number
  firstWaitMs: number
  maxWaitMs: number
}): GuessLimit {
  const guessersOf = perContext(limit.name, { scope: 'process', lost: 'wrong guesses: each guesser starts anew' }, () =>
    boundedCache<string, Failures>(MAX_GUESSERS),
  )
  return {
    take(ctx, guesser, now) {
      const at = now.getTime()
      const guessers = guessersOf(ctx)
      const before = guessers.get(guesser)
      if (before !== undefined && at < before.until) return before.until - at
      const count = before === undefined || at - before.at >= FORGET_MS ? 1 : before.count + 1
      const waits = count - limit.free
      const waitMs = waits < 0 ? 0 : Math.min(limit.firstWaitMs * 2 ** waits, limit.maxWaitMs)
      guessers.set(guesser, { count, at, until: at + waitMs })
      return 0
    },
    forgive(ctx, guesser) {
      guessersOf(ctx).delete(guesser)
    },
  }
}
