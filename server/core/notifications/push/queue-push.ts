import { createHash } from 'node:crypto'
import type { Locale } from '#contract/constants.ts'
import type { PushContent } from '#contract/notifications/notification.ts'
import { seal } from '#server/house/config/secret-key.ts'
import type { Context } from '#server/house/context.ts'
import { listLiveSubscriptions, type QueuedPush, queuePushJobs } from './queries/subscriptions.ts'
import { mayHaveBrowsers } from './subscribers.ts'
import { openSubscription } from './subscriptions.ts'

type Pushed = {
  userId: number
  contentIn: (locale: Locale) => PushContent
  notificationId?: string
  until: Date
}

/** Queues one push job for each browser. The content is encrypted, because it may hold a code. */
export async function queuePush(ctx: Context, { userId, contentIn, notificationId, until }: Pushed): Promise<void> {
  if (!(await mayHaveBrowsers(ctx, userId))) return
  const rows = await listLiveSubscriptions(ctx.db, { userId, now: ctx.clock.now() })
  if (rows.length === 0) return
  const jobs = rows.map(({ id, sealed, locale }) => {
    const content = contentIn(locale)
    const about = { userId, notificationId: notificationId ?? null }
    const job = { ...about, subscriptionId: id.toString(), content, until: until.toISOString() }
    const { endpoint } = openSubscription(ctx, sealed)
    return { payload: seal(job, ctx.secrets.secretKey, ctx.random), ...placeOf(job, endpoint), afterMs: 0 }
  })
  await queuePushJobs(ctx.db, jobs)
}

type Placed = { subscriptionId: string; notificationId: string | null; content: { tag: string } }

/**
 * Returns the queue, priority and key of a push job. A postponed push keeps its job key, so the new job replaces the
 * running job.
 */
export function placeOf(
  { subscriptionId, notificationId, content }: Placed,
  endpoint: string,
): Pick<QueuedPush, 'queue' | 'priority' | 'key'> {
  return {
    queue: queueOf(endpoint),
    priority: notificationId === null ? PRIORITY.urgent : PRIORITY.notice,
    key: `push:${subscriptionId}:${content.tag}`,
  }
}

/** Jobs with a lower number run first. Codes are urgent, because a code is useless after ten minutes. */
const PRIORITY = { urgent: 0, notice: 10 }

/** The push hosts of browser vendors. A suffix is listed only if nobody else can have a host under it. */
const KNOWN_HOSTS =
  /^(fcm\.googleapis\.com|updates\.push\.services\.mozilla\.com|[\w-]+\.push\.apple\.com|[\w-]+\.notify\.windows\.com)$/
/** The numbers of queues; their sum equals the number of workers for pushes (boot/tasks.ts). */
const QUEUES = { known: 3, other: 1 }

/** Returns the queue of a push. Its jobs run one at a time, so that an invented host does not delay known hosts. */
export function queueOf(endpoint: string): string {
  const { protocol, hostname, port } = new URL(endpoint)
  const kind = protocol === 'https:' && port === '' && KNOWN_HOSTS.test(hostname) ? 'known' : 'other'
  const hash = createHash('sha256').update(endpoint).digest().readUInt32BE()
  return `push-${kind}-${hash % QUEUES[kind]}`
}
