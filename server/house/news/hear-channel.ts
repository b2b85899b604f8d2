import type { Context } from '#server/house/context.ts'
import type { Redis } from '#server/house/redis/redis.ts'
import { newsOf } from './news.ts'

/** `holds` is called when the subscription begins to hold, `missed` when a sequence number shows that news were lost. */
export type ChannelHearer<News> = { holds(): void; hear(news: News): void; missed(): void }

/** Hears what other nodes tell on a channel. Returns the function that ends it. */
export function hearChannel<News>(
  ctx: Context,
  { redis, channel }: { redis: Redis; channel: string },
  hearer: ChannelHearer<News>,
): () => void {
  const { sender } = newsOf(ctx)
  let last: number | null = null
  return redis.subscribe(channel, {
    missed() {
      last = null
      hearer.holds()
    },
    hear(message) {
      const [, count, from, news] = /^(\d+) (\S+) (.+)$/.exec(message) ?? []
      if (news === undefined) return hearer.missed()
      const sequence = Number(count)
      if (sequence > 0) {
        if (last !== null && sequence !== last + 1) hearer.missed()
        last = sequence
      }
      if (from === sender) return
      try {
        // The cast is safe: the sender is a node of this service. Hearers refuse kinds of a newer release.
        hearer.hear(JSON.parse(news) as News)
      } catch (error) {
        ctx.log.warn({ error, channel }, 'news that cannot be read were passed over')
        hearer.missed()
      }
    },
  })
}
