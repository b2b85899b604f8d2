import type { Context } from '#server/house/context.ts'
import { nodeOf } from '#server/house/nodes/node.ts'
import type { Redis } from '#server/house/redis/redis.ts'
import { HERE } from './news.ts'

/** A node that starts or stops serves a moment before or after it hears. */
const LOOKS_APART = 3

export type SharingWatch = Disposable & { look(): Promise<void> }

/** Counts the nodes that this node's Redis reaches. Logs once that they are fewer than serve, and once that they are all. */
export function watchSharing(ctx: Context, redis: Redis): SharingWatch {
  const leave = redis.subscribe(HERE, { hear: () => undefined, missed: () => undefined })
  let looksApart = 0
  let isTold = false
  return {
    async look() {
      const reached = await redis.publish(HERE, '')
      const { livingNodes } = nodeOf(ctx)
      // While Redis is away nobody is reached, and another line tells of that.
      looksApart = reached > 0 && reached < livingNodes ? looksApart + 1 : 0
      const isApart = looksApart >= LOOKS_APART
      if (isApart === isTold || (!isApart && reached < livingNodes)) return
      isTold = isApart
      const counts = { reached, livingNodes }
      if (isApart)
        ctx.log.error(
          counts,
          'some nodes do not hear this one: they do not reach Redis, or REDIS_URL or REDIS_PREFIX differs',
        )
      else ctx.log.warn(counts, 'all nodes hear this one again')
    },
    [Symbol.dispose]: leave,
  }
}
