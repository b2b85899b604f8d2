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
  /** It is not sent once this has been read. */
  notificationId?: string
  /** Of no use afterwards. */
  until: Date
}

/** One job for each browser. What is said is sealed, as it may be a code. */
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

/** The same for a job that is put off: it takes the place of the one that runs. */
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

/** Lower runs first: a code is of no use in ten minutes. */
const PRIORITY = { urgent: 0, notice: 10 }

/** Of the makers of browsers. Whole names, or endings under which nobody else has a host: other people have hosts at googleapis.com. */
const KNOWN_HOSTS =
  /^(fcm\.googleapis\.com|updates\.push\.services\.mozilla\.com|[\w-]+\.push\.apple\.com|[\w-]+\.notify\.windows\.com)$/
/** Together as many as the lane of pushes has hands (boot/tasks.ts). */
const QUEUES = { known: 3, other: 1 }

/** Jobs of one queue run in turn: a host that somebody made up, and that hangs, delays none of the known ones. */
export function queueOf(endpoint: string): string {
  const { protocol, hostname, port } = new URL(endpoint)
  const kind = protocol === 'https:' && port === '' && KNOWN_HOSTS.test(hostname) ? 'known' : 'other'
  const hash = createHash('sha256').update(endpoint).digest().readUInt32BE()
  return `push-${kind}-${hash % QUEUES[kind]}`
}
