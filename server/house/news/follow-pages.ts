import { userChannel } from '#contract/live-events.ts'
import type { Context } from '#server/house/context.ts'
import { type Following, followUser } from './follow-user.ts'
import { tabsChannel } from './news.ts'

type Followed = { user: Following; endTabs: (() => void) | null }

/** Hears the news of the users whose live sockets this node holds, and lets other nodes count their open pages. */
export function followPages(ctx: Context): void {
  const { redis, realtime } = ctx
  if (redis === null) return
  const pages = new Map<number, Followed>()
  const look = (channel: string, userId: number): Following | null => {
    const known = pages.get(userId)
    if (!realtime.hasListeners(channel)) {
      pages.delete(userId)
      known?.user.end()
      known?.endTabs?.()
      return null
    }
    const missed = () => {
      realtime.publish(channel, 'EventsMissed', {})
    }
    const followed = known ?? { user: followUser(ctx, userId, { kind: 'page', missed }), endTabs: null }
    pages.set(userId, followed)
    const hasTabs = realtime.hasTabs(channel)
    if (hasTabs) {
      followed.endTabs ??= redis.subscribe(tabsChannel(userId), { hear: () => undefined, missed: () => undefined })
    } else {
      followed.endTabs?.()
      followed.endTabs = null
    }
    return followed.user
  }
  realtime.watch({
    entered(channel, then) {
      const userId = userOf(channel)
      const following = userId === null ? null : look(channel, userId)
      if (following === null) then()
      else following.whenHeld(then)
    },
    left(channel) {
      const userId = userOf(channel)
      if (userId !== null) look(channel, userId)
    },
  })
}

/** Tells whether a page of the user is open at any node; while Redis is away, at this one. */
export async function isAtPage({ realtime, redis }: Context, userId: number): Promise<boolean> {
  if (realtime.hasTabs(userChannel(userId))) return true
  return redis !== null && (await redis.publish(tabsChannel(userId), '')) > 0
}

function userOf(channel: string): number | null {
  const [, id] = /^private-user\.(\d{1,10})$/.exec(channel) ?? []
  return id === undefined ? null : Number(id)
}
