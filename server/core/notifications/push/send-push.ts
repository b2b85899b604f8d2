import { z } from 'zod'
import { SECOND } from '#contract/time.ts'
import { unseal } from '#server/house/config/secret-key.ts'
import type { Context } from '#server/house/context.ts'
import { askOutside, type OutsideAnswer } from '#server/house/http/outbound/ask-outside.ts'
import { pushKeysOf } from './push-keys.ts'
import { isForgotten, QUIET_MS, waitOf } from './push-pauses.ts'
import {
  type AskedRow,
  findLiveSubscription,
  forgetBrowser,
  noteFailure,
  noteSuccess,
  queuePushJobs,
} from './queries/subscriptions.ts'
import { placeOf } from './queue-push.ts'
import { openSubscription, type Subscription } from './subscriptions.ts'

const GONE = [404, 410]

const jobSchema = z.object({
  subscriptionId: z.string(),
  /** The job names the user, because the next user of that browser may take over the subscription under the same id. */
  userId: z.int(),
  notificationId: z.string().nullable(),
  content: z.object({ title: z.string(), body: z.string(), url: z.string(), tag: z.string() }),
  until: z.iso.datetime(),
})
type PushJob = z.infer<typeof jobSchema>

/** Sends a push. If the push service is unavailable, postpones the push with growing pauses until it is useless. */
export async function sendPush(ctx: Context, payload: unknown): Promise<void> {
  const job = readJob(ctx, payload)
  const now = ctx.clock.now()
  const leftMs = Date.parse(job.until) - now.getTime()
  const { subscriptionId: id, userId, notificationId } = job
  const row = leftMs <= 0 ? null : await findLiveSubscription(ctx.db, { id, userId, notificationId, now })
  if (row === null || row.is_read) return
  const subscription = openSubscription(ctx, row.sealed)
  const later = { job, payload, endpoint: subscription.endpoint }
  const waitMs = waitMsOf(row, now)
  if (waitMs > 0) return putOff(ctx, { ...later, waitMs })
  const answer = await send(ctx, subscription, { job, leftMs }).catch((error: unknown) => error)
  if (isAnswer(answer) && answer.status >= 200 && answer.status < 300) return noteSuccess(ctx.db, row.id)
  if (isAnswer(answer) && GONE.includes(answer.status)) return forgetBrowser(ctx.db, { id: row.id, now })
  const failing = await noteFailed(ctx, row.id)
  const status = isAnswer(answer) ? answer.status : null
  ctx.log.warn({ status, ...(status === null && { error: answer }) }, 'a push service did not take a message')
  // A push refused for its content would be refused again, so it is dropped.
  const isRefused = status !== null && status < 500 && status !== 429
  if (failing === null || isRefused) return
  await putOff(ctx, { ...later, waitMs: waitOf(failing, failing.failed_at) })
}

function waitMsOf({ failing_since, failed_at }: AskedRow, now: Date): number {
  return failing_since === null || failed_at === null ? 0 : waitOf({ failing_since, failed_at }, now)
}

async function noteFailed(ctx: Context, id: bigint) {
  const now = ctx.clock.now()
  const failing = await noteFailure(ctx.db, { id, from: new Date(now.getTime() - QUIET_MS), now })
  if (failing === null || !isForgotten(failing)) return failing
  await forgetBrowser(ctx.db, { id, now })
  return null
}

type PutOff = { job: PushJob; payload: unknown; endpoint: string; waitMs: number }

async function putOff(ctx: Context, { job, payload, endpoint, waitMs }: PutOff): Promise<void> {
  if (ctx.clock.now().getTime() + waitMs >= Date.parse(job.until)) {
    return ctx.log.warn({ tag: job.content.tag }, 'a push could not be sent before it was of no use')
  }
  await queuePushJobs(ctx.db, [{ payload: Object(payload), ...placeOf(job, endpoint), afterMs: waitMs }])
}

function isAnswer(value: unknown): value is OutsideAnswer {
  return typeof value === 'object' && value !== null && 'status' in value
}

function readJob(ctx: Context, payload: unknown): PushJob {
  if (typeof payload !== 'object' || payload === null) throw new Error('a queued push is not an object')
  return jobSchema.parse(unseal({ ...payload }, [ctx.secrets.secretKey, ...ctx.secrets.previousSecretKeys]).value)
}

/** Encrypts a push for the browser alone by RFC 8291 and names us as the sender by RFC 8292. */
async function send(
  ctx: Context,
  { endpoint, p256dh, auth }: Subscription,
  { job, leftMs }: { job: PushJob; leftMs: number },
): Promise<OutsideAnswer> {
  const keys = await pushKeysOf(ctx)
  // The web-push library has thirty modules, so it is loaded with the first push.
  const { default: webPush } = await import('web-push')
  const { headers, body } = webPush.generateRequestDetails(
    { endpoint, keys: { p256dh, auth } },
    JSON.stringify(job.content),
    {
      vapidDetails: { subject: `mailto:${ctx.config.contactEmail}`, ...keys },
      TTL: Math.ceil(leftMs / SECOND),
      urgency: job.notificationId === null ? 'high' : 'normal',
      contentEncoding: 'aes128gcm',
    },
  )
  const texts = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]))
  const { outboundPrivateHosts: privateHosts } = ctx.config
  return askOutside({ method: 'POST', url: endpoint, headers: texts, body: body ?? Buffer.alloc(0) }, { privateHosts })
}
