import { SECOND } from '#contract/time.ts'
import type { Context } from '#server/house/context.ts'
import { followPages } from './follow-pages.ts'
import { hearerOf, missAll, tellWhoMissed } from './follow-user.ts'
import { hearChannel } from './hear-channel.ts'
import { NODES, type NodeNews, type UserNews } from './news.ts'
import { tellOfLost } from './tell.ts'
import { watchSharing } from './watch-sharing.ts'

const SHARING_SECONDS = 5

/** `readAgain` is called if news for all nodes may be missing. */
export type NewsHearers = {
  hearUser(userId: number, news: UserNews): Promise<void>
  hearNode(news: NodeNews): Promise<void>
  readAgain(): void
}

/** Begins to hear what other nodes tell. A node alone hears nothing. */
export function startNews(ctx: Context, { hearUser, hearNode, readAgain }: NewsHearers): Disposable {
  const { redis } = ctx
  if (redis === null) return { [Symbol.dispose]: () => undefined }
  hearerOf(ctx).hear = hearUser
  followPages(ctx)
  const hearer = {
    holds: readAgain,
    missed: readAgain,
    hear(news: NodeNews) {
      if (news.kind === 'missed') {
        missAll(ctx)
        readAgain()
      } else ctx.background.run('heard news', () => hearNode(news))
    },
  }
  const end = hearChannel<NodeNews>(ctx, { redis, channel: NODES }, hearer)
  const sharing = watchSharing(ctx, redis)
  let second = 0
  const timer = setInterval(() => {
    second += 1
    tellWhoMissed(ctx, second)
    tellOfLost(ctx)
    if (second % SHARING_SECONDS === 0) ctx.background.run('count of nodes', () => sharing.look())
  }, SECOND).unref()
  return {
    [Symbol.dispose]() {
      clearInterval(timer)
      sharing[Symbol.dispose]()
      end()
    },
  }
}
