import webPush from 'web-push'
import { z } from 'zod'
import { SECOND } from '#contract/time.ts'
import { unseal } from '#server/config/secret-key.ts'
import type { Context } from '#server/context.ts'
import { askOutside, type OutsideAnswer, OutsideRefused } from '#server/http/outbound/ask-outside.ts'
import { pushKeysOf } from './push-keys.ts'
import { deleteSubscription, findLiveSubscription, noteFailure, noteSuccess } from './queries/subscriptions.ts'
import { openSubscription, type Subscription } from './subscriptions.ts'

/** In a row; a browser that has gone says so by 404 or 410 at once. */
const MOST_FAILURES = 20
const GONE = [404, 410]

const jobSchema = z.object({
  subscriptionId: z.string(),
  /** The next person of that browser takes the subscription over, under the same id. */
  userId: z.int(),
  notificationId: z.string().nullable(),
  content: z.object({ title: z.string(), body: z.string(), url: z.string(), tag: z.string() }),
  until: z.iso.datetime(),
})
type PushJob = z.infer<typeof jobSchema>

/** Throws, and is tried again some seconds later, when the push service did not take it for the moment. */
export async function sendPush(ctx: Context, payload: unknown): Promise<void> {
  const job = readJob(ctx, payload)
  const now = ctx.clock.now()
  const leftMs = Date.parse(job.until) - now.getTime()
  const { subscriptionId: id, userId, notificationId } = job
  const row = leftMs <= 0 ? null : await findLiveSubscription(ctx.db, { id, userId, notificationId, now })
  if (row === null || row.is_read) return
  const answer = await send(ctx, openSubscription(ctx, row.sealed), { job, leftMs }).catch((error: unknown) => error)
  if (isAnswer(answer) && answer.status >= 200 && answer.status < 300) return noteSuccess(ctx.db, row.id)
  if (answer instanceof OutsideRefused || (isAnswer(answer) && GONE.includes(answer.status))) {
    return deleteSubscription(ctx.db, row.id)
  }
  await noteFailure(ctx.db, { id: row.id, most: MOST_FAILURES })
  // What is refused for its content would be refused again.
  if (isAnswer(answer) && answer.status < 500 && answer.status !== 429) {
    ctx.log.warn({ status: answer.status }, 'a push service refused a message')
    return
  }
  throw new Error(isAnswer(answer) ? `a push service answered ${answer.status}` : 'a push service did not answer')
}

function isAnswer(value: unknown): value is OutsideAnswer {
  return typeof value === 'object' && value !== null && 'status' in value
}

function readJob(ctx: Context, payload: unknown): PushJob {
  if (typeof payload !== 'object' || payload === null) throw new Error('a queued push is not an object')
  return jobSchema.parse(unseal({ ...payload }, [ctx.secretKey, ...ctx.previousSecretKeys]).value)
}

/** RFC 8291 encrypts for the browser alone; RFC 8292 says who sends. */
async function send(
  ctx: Context,
  { endpoint, p256dh, auth }: Subscription,
  { job, leftMs }: { job: PushJob; leftMs: number },
): Promise<OutsideAnswer> {
  const keys = await pushKeysOf(ctx)
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
