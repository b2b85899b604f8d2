import { SECOND } from '#contract/time.ts'
import { boundedCache } from '#server/house/bounded-cache.ts'
import type { Context } from '#server/house/context.ts'
import { tooManyRequests } from '#server/house/errors/errors.ts'
import { type AmongNodes, perContext } from '#server/house/memory.ts'
import { moveTogether } from './count-together.ts'
import {
  type Bucket,
  fullBucket,
  giveBackOne,
  type Move,
  type Moved,
  moveBucket,
  type Rate,
  type RateOptions,
  rateOf,
  takeOne,
  toMs,
  toUs,
} from './token-bucket.ts'

const MAX_CALLERS = 50_000

/** `waitMs` is the time until a token is free. The others say what the bucket holds afterwards. */
export type Taken = { isTaken: boolean; waitMs: number; limit: number; remaining: number; resetMs: number }

/** A token bucket for each caller. All nodes share the buckets; while Redis is away, each node has its share of them. */
export type RateLimit = {
  /** Takes one token from the caller's bucket. If none is left, throws TOO_MANY_REQUESTS with the time to wait. */
  spend(ctx: Context, caller: string): Promise<void>
  /** Takes one token if `kept` others are left. A node that serves alone returns no promise. */
  take(ctx: Context, caller: string, kept?: number): Taken | Promise<Taken>
  giveBack(ctx: Context, caller: string): Promise<void>
}

type Named = RateOptions & { name: string }

/** Returns the headers of draft-ietf-httpapi-ratelimit-headers-06. Seconds are rounded up. */
export function rateLimitHeaders({ limit, remaining, resetMs }: Taken) {
  return {
    'ratelimit-limit': limit,
    'ratelimit-remaining': remaining,
    'ratelimit-reset': Math.ceil(resetMs / SECOND),
  }
}

export function createRateLimit(limit: Named): RateLimit {
  const { name } = limit
  const whole = rateOf(limit)
  const move = createBuckets(name, 'counted')
  const moveOwn = (ctx: Context, caller: string) => (one: Move) => move(ctx, caller, one)
  const take: RateLimit['take'] = (ctx, caller, kept = 0) => {
    const { redis, memory } = ctx
    if (redis === null) return takenFrom(whole, move(ctx, caller, takeOne(whole, kept)))
    const moveOf = (rate: Rate, nodes: number) => takeOne(rate, Math.floor(kept / nodes))
    const moved = moveTogether({ redis, memory }, { name, caller, limit, moveOf, moveOwn: moveOwn(ctx, caller) })
    return moved.then(({ rate, ...rest }) => takenFrom(rate, rest))
  }
  return {
    take,
    async spend(ctx, caller) {
      const { isTaken, waitMs } = await take(ctx, caller)
      if (!isTaken) throw tooManyRequests(Math.ceil(waitMs / SECOND))
    },
    async giveBack(ctx, caller) {
      const { redis, memory } = ctx
      const moving = { name, caller, limit, moveOf: giveBackOne, moveOwn: moveOwn(ctx, caller) }
      if (redis === null) move(ctx, caller, giveBackOne(whole))
      else await moveTogether({ redis, memory }, moving)
    },
  }
}

/** Creates a limit of what only this process has to bear, so that each node has its own. */
export function createOwnLimit(limit: Named): (ctx: Context, caller: string) => Taken {
  const whole = rateOf(limit)
  const move = createBuckets(limit.name, 'own')
  return (ctx, caller) => takenFrom(whole, move(ctx, caller, takeOne(whole, 0)))
}

/** Creates this process's buckets. The sandbox shares them, so that a sandbox API key is no way around a limit. */
function createBuckets(name: string, nodes: AmongNodes): (ctx: Context, caller: string, move: Move) => Moved {
  const lost = 'what was used of it: each caller starts anew'
  const bucketsOf = perContext(name, { scope: 'process', nodes, lost }, () => boundedCache<string, Bucket>(MAX_CALLERS))
  return (ctx, caller, move) => {
    const buckets = bucketsOf(ctx)
    let bucket = buckets.get(caller)
    if (bucket === undefined) {
      bucket = fullBucket()
      buckets.set(caller, bucket)
    }
    return moveBucket(bucket, toUs(ctx.clock.now().getTime()), move)
  }
}

function takenFrom({ burst, burstUs, refillUs }: Rate, { missingUs, owedUs }: Moved): Taken {
  return {
    isTaken: missingUs === 0,
    waitMs: toMs(missingUs),
    limit: burst,
    remaining: Math.floor(Math.max(0, burstUs - owedUs) / refillUs),
    resetMs: toMs(owedUs),
  }
}
