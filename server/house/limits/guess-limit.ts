import { DAY, SECOND } from '#contract/time.ts'
import { boundedCache } from '#server/house/bounded-cache.ts'
import type { Context } from '#server/house/context.ts'
import { tooManyRequests } from '#server/house/errors/errors.ts'
import { perContext } from '#server/house/memory.ts'
import { nodeOf } from '#server/house/nodes/node.ts'
import { createScript } from '#server/house/redis/redis.ts'
import { countTogether } from './count-together.ts'

const MAX_GUESSERS = 50_000
const FORGET_MS = DAY

/** All nodes count together; while Redis is away, each node allows its share of the guesses. */
export type GuessLimit = {
  /** Counts a guess as wrong before its check; `forgive` takes a right guess back. May throw TOO_MANY_REQUESTS. */
  spend(ctx: Context, guesser: string): Promise<void>
  forgive(ctx: Context, guesser: string): Promise<void>
}

type Waits = { free: number; firstWaitMs: number; maxWaitMs: number }
type Failures = { count: number; at: number; until: number }

/**
 * Does the same as `count`, by the time of Redis. ARGV is `free`, `firstWaitMs`, `maxWaitMs` and the time after which
 * all is forgotten.
 */
const COUNT = createScript(`
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local free, first, most = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
local failures = redis.call('HMGET', KEYS[1], 'count', 'until')
local wait = math.min(tonumber(failures[2] or 0) - now, most)
if wait > 0 then return {wait} end
local count = tonumber(failures[1] or 0) + 1
local pause = count < free and 0 or math.min(first * 2 ^ (count - free), most)
redis.call('HSET', KEYS[1], 'count', count, 'until', string.format('%.0f', now + pause))
redis.call('PEXPIRE', KEYS[1], ARGV[4])
return {0}`)
const FORGIVE = createScript(`return {redis.call('DEL', KEYS[1])}`)

/** Creates a limit of wrong guesses. The wait doubles with each wrong guess after the first `free` guesses. */
export function createGuessLimit({ name, ...limit }: Waits & { name: string }): GuessLimit {
  const guessersOf = perContext(
    name,
    { scope: 'process', nodes: 'counted', lost: 'wrong guesses: each guesser starts anew' },
    () => boundedCache<string, Failures>(MAX_GUESSERS),
  )
  const countOwn = (ctx: Context, guesser: string): number => {
    const guessers = guessersOf(ctx)
    const now = ctx.clock.now().getTime()
    const { waitMs, ...failures } = count(
      shareOf(limit, ctx.redis === null ? 1 : nodeOf(ctx).livingNodes),
      guessers.get(guesser),
      now,
    )
    if (waitMs === 0) guessers.set(guesser, failures)
    return waitMs
  }
  return {
    async spend(ctx, guesser) {
      const { free, firstWaitMs, maxWaitMs } = limit
      const args = [free, firstWaitMs, maxWaitMs, FORGET_MS]
      const counted = ctx.redis && (await countTogether(ctx.redis, { name, caller: guesser }, COUNT, args))
      const waitMs = counted?.[0] ?? countOwn(ctx, guesser)
      if (waitMs > 0) throw tooManyRequests(Math.ceil(waitMs / SECOND))
    },
    async forgive(ctx, guesser) {
      guessersOf(ctx).delete(guesser)
      if (ctx.redis !== null) await countTogether(ctx.redis, { name, caller: guesser }, FORGIVE, [])
    },
  }
}

function shareOf({ free, firstWaitMs, maxWaitMs }: Waits, nodes: number): Waits {
  if (nodes === 1) return { free, firstWaitMs, maxWaitMs }
  return {
    free: Math.max(1, Math.floor(free / nodes)),
    firstWaitMs: firstWaitMs * nodes,
    maxWaitMs: maxWaitMs * nodes,
  }
}

function count(
  { free, firstWaitMs, maxWaitMs }: Waits,
  before: Failures | undefined,
  now: number,
): Failures & { waitMs: number } {
  if (before !== undefined && before.until > now) return { ...before, waitMs: before.until - now }
  const isFirst = before === undefined || now - before.at >= FORGET_MS
  const counted = isFirst ? 1 : before.count + 1
  const pauseMs = counted < free ? 0 : Math.min(firstWaitMs * 2 ** (counted - free), maxWaitMs)
  return { count: counted, at: now, until: now + pauseMs, waitMs: 0 }
}
