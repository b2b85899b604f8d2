import { SECOND } from '#contract/time.ts'
import { boundedCache } from '#server/house/bounded-cache.ts'
import type { Context } from '#server/house/context.ts'
import { perContext } from '#server/house/memory.ts'

const MAX_CALLERS = 50_000

export type RateLimit = {
  /** Takes a token and returns 0. If no token is left, takes none and returns the wait in ms. */
  take(ctx: Context, caller: string, now: Date): number
  giveBack(ctx: Context, caller: string): void
  /** Returns how many calls the caller has left, and when the bucket is full again. */
  standing(ctx: Context, caller: string, now: Date): { limit: number; remaining: number; resetMs: number }
}

/** Headers of draft-ietf-httpapi-ratelimit-headers-06, which most programs understand. Seconds are rounded up. */
export function rateLimitHeaders({ limit, remaining, resetMs }: ReturnType<RateLimit['standing']>) {
  return {
    'ratelimit-limit': limit,
    'ratelimit-remaining': remaining,
    'ratelimit-reset': Math.ceil(resetMs / SECOND),
  }
}

/** A token bucket per caller. `name` tells metrics what is limited, and for whom. */
export function createRateLimit(limit: { name: string; burst: number; refillMs: number }): RateLimit {
  const refilled = (bucket: { tokens: number; at: number }, at: number) =>
    Math.min(limit.burst, bucket.tokens + Math.max(0, at - bucket.at) / limit.refillMs)
  // The sandbox shares the buckets, so that a sandbox key cannot bypass a limit.
  const bucketsOf = perContext(
    limit.name,
    { scope: 'process', lost: 'what was used of it: each caller starts anew' },
    () => boundedCache<string, { tokens: number; at: number }>(MAX_CALLERS),
  )
  return {
    take(ctx, caller, now) {
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
    },
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
