import { type BoundedCache, boundedCache } from '#server/bounded-cache.ts'
import type { Context } from '#server/context.ts'

const MAX_CALLERS = 50_000

export type RateLimit = {
  /** 0: one token was taken. Otherwise the wait in ms, and nothing was taken. */
  take(ctx: Context, caller: string, now: Date): number
  giveBack(ctx: Context, caller: string): void
  /** What a caller may still do at once, and when all of it is back. */
  standing(ctx: Context, caller: string, now: Date): { limit: number; remaining: number; resetMs: number }
}

export function createRateLimit(limit: { burst: number; refillMs: number }): RateLimit {
  const refilled = (bucket: { tokens: number; at: number }, at: number) =>
    Math.min(limit.burst, bucket.tokens + Math.max(0, at - bucket.at) / limit.refillMs)
  // By what both worlds share (sandbox-world.ts): a sandbox key is no way around a limit.
  const perProcess = new WeakMap<Context['clients'], BoundedCache<string, { tokens: number; at: number }>>()
  return {
    take(ctx, caller, now) {
      let buckets = perProcess.get(ctx.clients)
      if (buckets === undefined) {
        buckets = boundedCache(MAX_CALLERS)
        perProcess.set(ctx.clients, buckets)
      }
      const at = now.getTime()
      const bucket = buckets.get(caller) ?? { tokens: limit.burst, at }
      const tokens = refilled(bucket, at)
      if (tokens < 1) {
        buckets.set(caller, { tokens, at })
        return Math.ceil((1 - tokens) * limit.refillMs)
      }
      buckets.set(caller, { tokens: tokens - 1, at })
      return 0
    },
    giveBack(ctx, caller) {
      const bucket = perProcess.get(ctx.clients)?.get(caller)
      if (bucket !== undefined) bucket.tokens = Math.min(limit.burst, bucket.tokens + 1)
    },
    standing(ctx, caller, now) {
      const bucket = perProcess.get(ctx.clients)?.get(caller)
      const tokens = bucket === undefined ? limit.burst : refilled(bucket, now.getTime())
      const resetMs = Math.ceil((limit.burst - tokens) * limit.refillMs)
      return { limit: limit.burst, remaining: Math.floor(tokens), resetMs }
    },
  }
}
