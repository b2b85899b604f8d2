import { hash } from 'node:crypto'
import type { Context } from '#server/house/context.ts'
import { nodeOf } from '#server/house/nodes/node.ts'
import { createScript, type Redis, type Script } from '#server/house/redis/redis.ts'
import { MOVE, type Move, type Moved, type Rate, type RateOptions, rateOf } from './token-bucket.ts'

const HASH_LENGTH = 22

export type Sharing = Pick<Context, 'memory'> & { redis: Redis }

/** A count of all nodes. `caller` is hashed, because it may be long, chosen by a stranger, or an e-mail address. */
export type Counted = { name: string; caller: string }

/** Runs a script that returns whole numbers on the caller's key. Returns undefined if this node must count alone. */
export async function countTogether(
  redis: Redis,
  { name, caller }: Counted,
  script: Script,
  args: readonly (string | number)[],
): Promise<number[] | undefined> {
  const key = `limit:${name}:${hash('sha256', caller, 'base64url').slice(0, HASH_LENGTH)}`
  const answer = await redis.runPromptly(script, key, args)
  return Array.isArray(answer) ? answer.map(Number) : undefined
}

const COUNT = createScript(`
local count = redis.call('INCR', KEYS[1])
redis.call('PEXPIRE', KEYS[1], ARGV[1], 'NX')
return {count}`)

/** Counts one more at all nodes. Returns the count within `withinMs` of its first, or undefined to count alone. */
export async function countWithin(
  redis: Redis | null,
  counted: Counted,
  withinMs: number,
): Promise<number | undefined> {
  const counts = redis === null ? undefined : await countTogether(redis, counted, COUNT, [withinMs])
  return counts?.[0]
}

type Moving = Counted & {
  limit: RateOptions
  moveOf(rate: Rate, nodes: number): Move
  /** Moves this node's own bucket. */
  moveOwn(move: Move): Moved
}

/** Moves a bucket that all nodes share. While Redis is away, moves this node's own bucket by its share of the rate. */
export async function moveTogether(ctx: Sharing, moving: Moving): Promise<Moved & { rate: Rate }> {
  const { limit, moveOf, moveOwn } = moving
  const whole = rateOf(limit)
  const { costUs, allowedUs, mostUs } = moveOf(whole, 1)
  const counted = await countTogether(ctx.redis, moving, MOVE, [costUs, allowedUs, mostUs])
  if (counted !== undefined) {
    const [missingUs = 0, owedUs = 0] = counted
    return { missingUs, owedUs, rate: whole }
  }
  const nodes = nodeOf(ctx).livingNodes
  const rate = rateOf(limit, nodes)
  return { ...moveOwn(moveOf(rate, nodes)), rate }
}
