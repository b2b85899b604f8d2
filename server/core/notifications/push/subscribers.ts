import type { Context } from '#server/house/context.ts'
import { perContext } from '#server/house/memory.ts'
import { listSubscribers } from './queries/subscriptions.ts'

/** The cached ids of users with a browser subscription; some of their sessions may have ended. */
const knownOf = perContext(
  'members with browser push',
  { scope: 'process', lost: 'nothing: they are read from the tables' },
  (): { loading: Promise<Set<number>> | null } => ({ loading: null }),
)

/** Returns true if a browser of the user may get pushes. Cached, because most codes go to programs. */
export async function mayHaveBrowsers(ctx: Context, userId: number): Promise<boolean> {
  return (await subscribersOf(ctx)).has(userId)
}

export async function noteSubscriber(ctx: Context, userId: number): Promise<void> {
  const subscribers = await subscribersOf(ctx)
  subscribers.add(userId)
}

function subscribersOf(ctx: Context): Promise<Set<number>> {
  const known = knownOf(ctx)
  if (known.loading !== null) return known.loading
  const loading = listSubscribers(ctx.db).then((ids) => new Set(ids))
  known.loading = loading
  // A failed load is not cached, so the next call queries again.
  loading.catch(() => {
    known.loading = null
  })
  return loading
}
