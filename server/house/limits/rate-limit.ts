import { DAY, SECOND } from '#contract/time.ts'
import { boundedCache } from '#server/house/bounded-cache.ts'
import type { Context } from '#server/house/context.ts'
import { tooManyRequests } from '#server/house/errors/errors.ts'
import { perContext } from '#server/house/memory.ts'

const MAX_CALLERS = 50_000

export type RateLimit = {
  /** Takes one token from the caller's bucket. If none is left, throws TOO_MANY_REQUESTS with the time to wait. */
  spend(ctx: Context, caller: string): void
  /** Takes one token from the caller's bucket and returns 0. If none is left, returns the time to wait in ms. */
  take(ctx: Context, caller: string, now: Date): number
  giveBack(ctx: Context, caller: string): void
  standing(ctx: Context, caller: string, now: Date): { limit: number; remaining: number; resetMs: number }
}

/** Returns the headers of draft-ietf-httpapi-ratelimit-headers-06. Seconds are rounded up. */
export function rateLimitHeaders({ limit, remaining, resetMs }: ReturnType<RateLimit['standing']>) {
  return {
    'ratelimit-limit': limit,
    'ratelimit-remaining': remaining,
    'ratelimit-reset': Math.ceil(resetMs / SECOND),
  }
}

export function createRateLimit(limit: { name: string; burst: number; refillMs: number }): RateLimit {
  const refilled = (bucket: { tokens: number; at: number }, at: number) =>
    Math.min(limit.burst, bucket.tokens + Math.max(0, at - bucket.at) / limit.refillMs)
  // The real service and the sandbox share the buckets, so that a sandbox API key is no way around a limit.
  const bucketsOf = perContext(
    limit.name,
    { scope: 'process', lost: 'what was used of it: each caller starts anew' },
    () => boundedCache<string, { tokens: number; at: number }>(MAX_CALLERS),
  )
  const take: RateLimit['take'] = (ctx, caller, now) => {
    const buckets = bucketsOf(ctx)
    const at = now.getTime()
    let bucket = buckets.get(caller)
    if (bucket === undefined) {
      bucket = { tokens: limit.burst, at }
      buckets.set(caller, bucket)
    }
    const tokens = refilled(bucket, at)
    const isTaken = tokens >= 1
    bucket.tokens = isTaken ? tokens - 1 : tokens
    bucket.at = at
    return isTaken ? 0 : Math.ceil((1 - tokens) * limit.refillMs)
  }
  return {
    take,
    spend: (ctx, caller) => refuseWhile(take(ctx, caller, ctx.clock.now())),
    giveBack(ctx, caller) {
      const bucket = bucketsOf(ctx).get(caller)
      if (bucket !== undefined) bucket.tokens = Math.min(limit.burst, bucket.tokens + 1)
    },
    standing(ctx, caller, now) {
      const bucket = bucketsOf(ctx).get(caller)
      const tokens = bucket === undefined ? limit.burst : refilled(bucket, now.getTime())
      const resetMs = Math.ceil((limit.burst - tokens) * limit.refillMs)
      return { limit: limit.burst, remaining: Math.floor(tokens), resetMs }
    },
  }
}

const MAX_GUESSERS = 50_000
const FORGET_MS = DAY

export type GuessLimit = {
  /** Counts a guess as wrong before its check; `forgive` takes a right guess back. May throw TOO_MANY_REQUESTS. */
  spend(ctx: Context, guesser: string): void
  forgive(ctx: Context, guesser: string): void
}

type Failures = { count: number; at: number; until: number }

/** Creates a limit of wrong guesses. The wait doubles with each wrong guess after the first `free` guesses. */
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
    spend(ctx, guesser) {
      const at = ctx.clock.now().getTime()
      const guessers = guessersOf(ctx)
      const before = guessers.get(guesser)
      if (before !== undefined) refuseWhile(before.until - at)
      const count = before === undefined || at - before.at >= FORGET_MS ? 1 : before.count + 1
      const waits = count - limit.free
      const waitMs = waits < 0 ? 0 : Math.min(limit.firstWaitMs * 2 ** waits, limit.maxWaitMs)
      guessers.set(guesser, { count, at, until: at + waitMs })
    },
    forgive(ctx, guesser) {
      guessersOf(ctx).delete(guesser)
    },
  }
}

function refuseWhile(waitMs: number): void {
  if (waitMs > 0) throw tooManyRequests(Math.ceil(waitMs / SECOND))
}
