import { SECOND } from '#contract/time.ts'
import { WEBHOOK_REPLY_BYTES, type WebhookFailure } from '#contract/webhooks/webhook.ts'
import type { DueDelivery } from '#server/core/webhooks/queries/sending.ts'
import { openSecret, type Sealed, signatureOf } from '#server/core/webhooks/secret.ts'
import type { Context } from '#server/house/context.ts'
import { askOutside, OutsideRefused, OutsideUnreached } from '#server/house/http/outbound/ask-outside.ts'
import { bodyOf, webhookIdOf } from './body.ts'
import { webhookPostOf } from './post.ts'

export type Outcome = {
  ok: boolean
  status: number | null
  failure: WebhookFailure | null
  reply: string | null
  tookMs: number
}

export async function tryDelivery(ctx: Context, due: DueDelivery, signal: AbortSignal): Promise<Outcome> {
  const body = Buffer.from(bodyOf(due.form, due))
  const begunAt = performance.now()
  const tookMs = () => Math.round(performance.now() - begunAt)
  const { kept, timeLimitMs } = webhookPostOf(ctx)
  try {
    const answer = await askOutside(
      { method: 'POST', url: due.url, headers: headersOf(ctx, due, body), body },
      {
        privateHosts: ctx.config.outboundPrivateHosts,
        kept,
        mostBytes: WEBHOOK_REPLY_BYTES,
        timeLimitMs,
        signal,
      },
    )
    const ok = answer.status >= 200 && answer.status <= 299
    // PostgreSQL cannot store NUL in a reply. A cut reply may end in half a character.
    const reply = answer.body.toString('utf8').replaceAll('\0', '')
    return { ok, status: answer.status, failure: ok ? null : 'status', reply, tookMs: tookMs() }
  } catch (error) {
    const isLate = tookMs() >= timeLimitMs || signal.aborted
    return { ok: false, status: null, failure: isLate ? 'timeout' : failureOf(error), reply: null, tookMs: tookMs() }
  }
}

function headersOf(ctx: Context, due: DueDelivery, body: Buffer): Record<string, string> {
  const plain = {
    'content-type': 'application/json',
    'content-length': String(body.length),
    'user-agent': 'Ringpost-Webhooks',
  }
  if (due.form === 'field') return plain
  const id = webhookIdOf(due.id)
  const seconds = Math.floor(ctx.clock.now().getTime() / SECOND)
  const secrets = [due.secret, ...(due.previous_secret === null ? [] : [due.previous_secret])]
  const signatures = secrets.map((sealed) => signatureOf(openKept(ctx, sealed), { id, seconds, body }))
  return {
    ...plain,
    'webhook-id': id,
    'webhook-timestamp': String(seconds),
    'webhook-signature': signatures.join(' '),
  }
}

function openKept(ctx: Context, sealed: Sealed): string {
  const { secrets } = webhookPostOf(ctx)
  const key = String(sealed.sealed)
  const kept = secrets.get(key)
  if (kept !== undefined) return kept
  const secret = openSecret(ctx, sealed)
  secrets.set(key, secret)
  return secret
}

function failureOf(error: unknown): WebhookFailure {
  if (error instanceof OutsideRefused) return 'refused'
  const cause = error instanceof OutsideUnreached ? error.cause : error
  if (cause instanceof Error && 'code' in cause && isAboutTls(String(cause.code))) return 'tls'
  return error instanceof OutsideUnreached ? 'unreached' : 'broken'
}

function isAboutTls(code: string): boolean {
  return /CERT|SSL|TLS|SELF_SIGNED|UNABLE_TO_/.test(code)
}
