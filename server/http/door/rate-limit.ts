import { type BoundedCache, boundedCache } from '#server/bounded-cache.ts'
import type { Context } from '#server/context.ts'

const MAX_CALLERS = 50_000

export type RateLimit = {
  /** 0: one token was taken. Otherwise the wait in ms, and nothing was taken. */
  take(ctx: Context, caller: string, now: Date): number
  giveBack(ctx: Context, caller: string): void
}

export function createRateLimit(limit: { burst: number; refillMs: number }): RateLimit {
  const perContext = new WeakMap<Context, BoundedCache<string, { tokens: number; at: number }>>()
  return {
    take(ctx, caller, now) {
      let buckets = perContext.get(ctx)
      if (buckets === undefined) {
        buckets = boundedCache(MAX_CALLERS)
        perContext.set(ctx, buckets)
      }
      const at = now.getTime()
      const bucket = buckets.get(caller) ?? { tokens: limit.burst, at }
      const tokens = Math.min(limit.burst, bucket.tokens + Math.max(0, at - bucket.at) / limit.refillMs)
      if (tokens < 1) {
        buckets.set(caller, { tokens, at })
        return Math.ceil((1 - tokens) * limit.refillMs)
      }
      buckets.set(caller, { tokens: tokens - 1, at })
      return 0
    },
    giveBack(ctx, caller) {
      const bucket = perContext.get(ctx)?.get(caller)
      if (bucket !== undefined) bucket.tokens = Math.min(limit.burst, bucket.tokens + 1)
    },
  }
}
