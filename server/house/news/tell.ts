import { DAY } from '#contract/time.ts'
import type { Context } from '#server/house/context.ts'
import { createScript } from '#server/house/redis/redis.ts'
import { NODES, type NodeNews, newsChannel, newsOf, type UserNews } from './news.ts'

/** The maximum number of news on their way to Redis. More are lost, and other nodes fetch instead. */
const MOST_UNDER_WAY = 1_000
/** The time after which a channel without news forgets its sequence number. */
const SEQUENCE_KEPT_MS = DAY
/** The shortest time between equal news that are told together. */
const TOGETHER_MS = 20

/** Redis whose memory is full refuses to count. The news then go without a sequence number, as 0. */
const TELL = createScript(`
local sequence = redis.pcall('INCR', KEYS[1])
if type(sequence) == 'number' then redis.pcall('PEXPIRE', KEYS[1], ARGV[1]) else sequence = 0 end
return redis.call('SPUBLISH', KEYS[1], sequence .. ' ' .. ARGV[2])`)

/** Tells the nodes that hold a page or a waiting call of the user. Call it after the commit; it never waits or fails. */
export function tellUser(ctx: Context, userId: number, news: UserNews): void {
  tell(ctx, newsChannel(userId), news)
}

/** Tells every other node. Call it after the commit; it never waits or fails. */
export function tellNodes(ctx: Context, news: NodeNews): void {
  tell(ctx, NODES, news)
}

/** Tells every other node at once, but equal news of many changes together. News follow the last change in any case. */
export function tellNodesTogether(ctx: Context, news: NodeNews): void {
  if (ctx.redis === null) return
  const { together } = newsOf(ctx)
  const key = JSON.stringify(news)
  if (together.has(key)) {
    together.set(key, true)
    return
  }
  together.set(key, false)
  tellNodes(ctx, news)
  setTimeout(() => {
    const isAgain = together.get(key) === true
    together.delete(key)
    if (isAgain) tellNodesTogether(ctx, news)
  }, TOGETHER_MS).unref()
}

/** Tells the other nodes that they missed news of this node, once Redis answers again. */
export function tellOfLost(ctx: Context): void {
  const mine = newsOf(ctx)
  if (!mine.hasLost || ctx.redis?.isUp !== true) return
  mine.hasLost = false
  tellNodes(ctx, { kind: 'missed' })
}

function tell(ctx: Context, channel: string, news: UserNews | NodeNews): void {
  const { redis } = ctx
  if (redis === null) return
  const mine = newsOf(ctx)
  if (mine.underWay >= MOST_UNDER_WAY) {
    mine.hasLost = true
    return
  }
  mine.underWay += 1
  ctx.background.run('news', async () => {
    const heard = await redis.run(TELL, channel, [SEQUENCE_KEPT_MS, `${mine.sender} ${JSON.stringify(news)}`])
    mine.underWay -= 1
    if (heard === undefined) mine.hasLost = true
  })
}
