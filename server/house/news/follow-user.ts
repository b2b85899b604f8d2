import { SECOND } from '#contract/time.ts'
import type { Context } from '#server/house/context.ts'
import { perContext } from '#server/house/memory.ts'
import { hearChannel } from './hear-channel.ts'
import { newsChannel, type UserNews } from './news.ts'

/** The maximum wait for Redis to confirm a subscription. */
const HOLD_LIMIT_MS = SECOND
/** The maximum number of a user's news that wait to be read. More count as missed. */
const MOST_WAITING = 100
/** Pages fetch once in as many seconds while Redis is away. Users take turns, so that pages do not fetch all at once. */
const AWAY_TURN_SECONDS = 5
/** Pages that missed news fetch so soon after Redis is back, because their codes may have come meanwhile. */
const BACK_TURN_SECONDS = 2

/** `missed` is called if news may be missing: for a page at its turn, for a call each second, until Redis is back. */
export type Follower = { kind: 'page' | 'call'; missed(): void }

/** `whenHeld` calls back once the user's news arrive here, or cannot be waited for; at once if they do already. */
export type Following = { whenHeld(then: () => void): void; end(): void }

type Followed = {
  followers: Set<Follower>
  /** The callbacks for the moment when the subscription holds; null from then on, or when the wait is over. */
  awaiting: (() => void)[] | null
  hasMissed: boolean
  waiting: number
  tail: Promise<void>
  end(): void
}

const followedOf = perContext(
  'users whose news are heard',
  { scope: 'process', nodes: 'own', lost: 'nothing: their connections end' },
  () => new Map<number, Followed>(),
)

/** The function that reads the rows that news name, and tells the pages and calls of this process. */
export const hearerOf = perContext(
  'hearer of news',
  { scope: 'process', nodes: 'own', lost: 'nothing: it is made again' },
  (): { hear: (userId: number, news: UserNews) => Promise<void> } => ({ hear: async () => undefined }),
)

const ALONE: Following = { whenHeld: (then) => then(), end: () => undefined }

/** Hears a user's news from other nodes until `end`. A node alone hears none. */
export function followUser(ctx: Context, userId: number, follower: Follower): Following {
  if (ctx.redis === null) return ALONE
  const users = followedOf(ctx)
  const followed = users.get(userId) ?? begin(ctx, userId)
  followed.followers.add(follower)
  return {
    whenHeld(then) {
      if (followed.awaiting === null) then()
      else followed.awaiting.push(then)
    },
    end() {
      followed.followers.delete(follower)
      if (followed.followers.size > 0 || users.get(userId) !== followed) return
      users.delete(userId)
      followed.end()
    },
  }
}

/** Must run each second. Pages and calls whose news may be missing look for themselves. */
export function tellWhoMissed(ctx: Context, second: number): void {
  const isAway = ctx.redis?.isUp !== true
  const turnSeconds = isAway ? AWAY_TURN_SECONDS : BACK_TURN_SECONDS
  for (const [userId, followed] of followedOf(ctx)) {
    if (!isAway && !followed.hasMissed) continue
    const isTurn = (userId + second) % turnSeconds === 0
    if (isTurn) followed.hasMissed = false
    for (const { kind, missed } of followed.followers) if (isTurn || kind === 'call') missed()
  }
}

/** Marks the news of all users as missing, because some node could not tell its own. */
export function missAll(ctx: Context): void {
  for (const followed of followedOf(ctx).values()) followed.hasMissed = true
}

function begin(ctx: Context, userId: number): Followed {
  const { redis } = ctx
  const followed: Followed = {
    followers: new Set(),
    awaiting: redis?.isUp === true ? [] : null,
    hasMissed: false,
    waiting: 0,
    tail: Promise.resolve(),
    end: () => undefined,
  }
  followedOf(ctx).set(userId, followed)
  const settle = () => {
    clearTimeout(timer)
    const awaiting = followed.awaiting ?? []
    followed.awaiting = null
    for (const then of awaiting) then()
  }
  const timer = setTimeout(settle, HOLD_LIMIT_MS)
  if (redis === null) return followed
  const end = hearChannel<UserNews>(
    ctx,
    { redis, channel: newsChannel(userId) },
    {
      holds() {
        // Nobody waited for this subscription any more, so news may have come before it held.
        if (followed.awaiting === null) followed.hasMissed = true
        settle()
      },
      hear: (news) => hear(ctx, { userId, followed, news }),
      missed() {
        followed.hasMissed = true
      },
    },
  )
  followed.end = () => {
    settle()
    end()
  }
  return followed
}

/** Reads one news of a user after the other, so that their events keep their order. */
function hear(ctx: Context, { userId, followed, news }: { userId: number; followed: Followed; news: UserNews }): void {
  if (followed.waiting >= MOST_WAITING) {
    followed.hasMissed = true
    return
  }
  followed.waiting += 1
  const before = followed.tail
  const { promise, resolve } = Promise.withResolvers<void>()
  followed.tail = promise
  ctx.background.run('heard news', async () => {
    await before
    try {
      if (followed.followers.size > 0) await hearerOf(ctx).hear(userId, news)
    } catch (error) {
      followed.hasMissed = true
      throw error
    } finally {
      followed.waiting -= 1
      resolve()
    }
  })
}
