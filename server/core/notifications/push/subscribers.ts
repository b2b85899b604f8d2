import { SECOND } from '#contract/time.ts'
import type { Context } from '#server/house/context.ts'
import { perContext } from '#server/house/memory.ts'
import { tellNodes } from '#server/house/news/tell.ts'
import { listSubscribers } from './queries/subscriptions.ts'

/** The time for which the subscribers are known while no other node can tell of new ones. */
const KNOWN_ALONE_MS = 5 * SECOND

/** The cached ids of users with a browser subscription; some of their sessions may have ended. */
const knownOf = perContext(
  'members with browser push',
  { scope: 'process', nodes: 'told', lost: 'nothing: they are read from the tables' },
  (): { loading: Promise<Set<number>> | null; readAtMs: number } => ({ loading: null, readAtMs: 0 }),
)

/** Returns true if a browser of the user may get pushes. Cached, because most codes go to programs. */
export async function mayHaveBrowsers(ctx: Context, userId: number): Promise<boolean> {
  return (await subscribersOf(ctx)).has(userId)
}

/** Notes a new subscriber at every node. Call it after the commit. */
export async function noteSubscriber(ctx: Context, userId: number): Promise<void> {
  tellNodes(ctx, { kind: 'push-subscriber', userId })
  await addSubscriber(ctx, userId)
}

/** Notes a new subscriber at this node alone. */
export async function addSubscriber(ctx: Context, userId: number): Promise<void> {
  const subscribers = await subscribersOf(ctx)
  subscribers.add(userId)
}

/** Reads the subscribers anew at the next use, because another node may have added some. */
export function forgetSubscribers(ctx: Context): void {
  knownOf(ctx).loading = null
}

function subscribersOf(ctx: Context): Promise<Set<number>> {
  const known = knownOf(ctx)
  const nowMs = ctx.clock.now().getTime()
  const isTold = ctx.redis === null || ctx.redis.isUp || nowMs - known.readAtMs < KNOWN_ALONE_MS
  if (known.loading !== null && isTold) return known.loading
  const loading = listSubscribers(ctx.db).then((ids) => new Set(ids))
  known.loading = loading
  known.readAtMs = nowMs
  // A failed load is not cached, so the next call queries again.
  loading.catch(() => {
    known.loading = null
  })
  return loading
}
