import { MINUTE, SECOND } from '#contract/time.ts'
import { type BoundedCache, boundedCache } from '#server/bounded-cache.ts'
import type { Context } from '#server/context.ts'
import { tooManyRequests } from '#server/errors.ts'

/** Of one network, before it is turned away unstored. */
const MAX_A_MINUTE = 30
/** Of all together: from then on only networks that have sent something genuine are heard. A gateway repeats. */
const MAX_OF_ALL_A_MINUTE = 300
const MAX_NETWORKS = 10_000
const ALL = 'all'

type Count = { count: number; since: number }
type Seen = { forged: BoundedCache<string, Count>; genuine: BoundedCache<string, true> }

const perContext = new WeakMap<Context, Seen>()

/** Each forged event costs a row, and nobody may fill the disk with them. Throws TOO_MANY_REQUESTS. */
export function refuseForger(ctx: Context, network: string): void {
  const { forged, genuine } = seenBy(ctx)
  const own = waitOf(ctx, forged.get(network), MAX_A_MINUTE)
  const ofAll = genuine.get(network) === undefined ? waitOf(ctx, forged.get(ALL), MAX_OF_ALL_A_MINUTE) : 0
  const waitMs = Math.max(own, ofAll)
  if (waitMs > 0) throw tooManyRequests(Math.ceil(waitMs / SECOND))
}

export function countForgery(ctx: Context, network: string): void {
  const { forged } = seenBy(ctx)
  const now = ctx.clock.now().getTime()
  for (const who of [network, ALL]) {
    const seen = forged.get(who)
    const isFresh = seen !== undefined && now - seen.since < MINUTE
    forged.set(who, isFresh ? { ...seen, count: seen.count + 1 } : { count: 1, since: now })
  }
}

export function trustNetwork(ctx: Context, network: string): void {
  seenBy(ctx).genuine.set(network, true)
}

function waitOf(ctx: Context, seen: Count | undefined, most: number): number {
  if (seen === undefined || seen.count < most) return 0
  return Math.max(0, seen.since + MINUTE - ctx.clock.now().getTime())
}

function seenBy(ctx: Context): Seen {
  const seen = perContext.get(ctx) ?? { forged: boundedCache(MAX_NETWORKS), genuine: boundedCache(MAX_NETWORKS) }
  perContext.set(ctx, seen)
  return seen
}
