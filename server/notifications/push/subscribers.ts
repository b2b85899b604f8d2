import type { Context } from '#server/context.ts'
import { listSubscribers } from './queries/subscriptions.ts'

/** Ids of members who have a browser. Some may have ended: a look-up then finds none. */
const known = new WeakMap<Context, Promise<Set<number>>>()

/** Most codes go to programs, which would cost a question each. */
export async function mayHaveBrowsers(ctx: Context, userId: number): Promise<boolean> {
  return (await subscribersOf(ctx)).has(userId)
}

export async function noteSubscriber(ctx: Context, userId: number): Promise<void> {
  const subscribers = await subscribersOf(ctx)
  subscribers.add(userId)
}

function subscribersOf(ctx: Context): Promise<Set<number>> {
  const loading = known.get(ctx)
  if (loading !== undefined) return loading
  const loaded = listSubscribers(ctx.db).then((ids) => new Set(ids))
  known.set(ctx, loaded)
  // An outage is asked again.
  loaded.catch(() => known.delete(ctx))
  return loaded
}
