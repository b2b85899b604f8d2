import type { Locale } from '#contract/constants.ts'
import type { PushContent } from '#contract/notifications/notification.ts'
import { seal } from '#server/config/secret-key.ts'
import type { Context } from '#server/context.ts'
import { listLiveSubscriptions, queuePushJobs } from './queries/subscriptions.ts'
import { mayHaveBrowsers } from './subscribers.ts'
import { openSubscription } from './subscriptions.ts'

type Pushed = {
  userId: number
  contentIn: (locale: Locale) => PushContent
  /** It is not sent once this has been read. */
  notificationId?: string
  /** Of no use afterwards. */
  lifetimeMs: number
}

/** One job for each browser. What is said is sealed, as it may be a code. */
export async function queuePush(
  ctx: Context,
  { userId, contentIn, notificationId, lifetimeMs }: Pushed,
): Promise<void> {
  if (!(await mayHaveBrowsers(ctx, userId))) return
  const now = ctx.clock.now()
  const rows = await listLiveSubscriptions(ctx.db, { userId, now })
  if (rows.length === 0) return
  const until = new Date(now.getTime() + lifetimeMs).toISOString()
  const jobs = rows.map(({ id, sealed, locale }) => {
    const content = contentIn(locale)
    const job = { subscriptionId: id.toString(), notificationId: notificationId ?? null, content, until }
    return {
      payload: seal(job, ctx.secretKey, ctx.random),
      queue: queueOf(openSubscription(ctx, sealed).endpoint),
      key: `push:${id}:${content.tag}`,
    }
  })
  await queuePushJobs(ctx.db, jobs)
}

const KNOWN_HOSTS = /(^|\.)(googleapis\.com|mozilla\.com|windows\.com|apple\.com)$/

/** Jobs of one queue run in turn: a host that somebody made up, and that hangs, delays none of the known ones. */
function queueOf(endpoint: string): string {
  return KNOWN_HOSTS.test(new URL(endpoint).hostname) ? 'push-known' : 'push-other'
}
