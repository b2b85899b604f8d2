import type { z } from 'zod'
import {
  CODE_EVENTS,
  MAX_WEBHOOKS,
  WEBHOOK_EVENTS,
  type WebhookEvent,
  type WebhookForm,
  type webhookInputSchema,
} from '#contract/webhooks/webhook.ts'
import type { Context } from '#server/house/context.ts'
import { isUniqueViolation } from '#server/house/db/constraint.ts'
import { transaction } from '#server/house/db/transaction.ts'
import { idempotencyConflict } from '#server/house/errors/buying-errors.ts'
import { wordsOf } from '#server/house/errors/error-words.ts'
import { invalidInput, tooManyWebhooks } from '#server/house/errors/errors.ts'
import { hashParts } from '#server/house/hash-parts.ts'
import type { Member } from '#server/house/http/caller.ts'
import { OutsideRefused, readOutsideUrl } from '#server/house/http/outbound/ask-outside.ts'
import { confirmWayOut } from './confirm-way-out.ts'
import { type EndpointRow, findByKey, insertEndpoint } from './queries/endpoints.ts'
import { makeSecret, openSecret } from './secret.ts'
import { limitNewAddresses, tellOwner } from './tell-owner.ts'

/** The maximum number of endpoints of a sandbox account, because hanging deliveries to them delay real ones. */
const MOST_OF_PLAY = 3

export type MadeEndpoint = { row: EndpointRow; secret: string | null }

type Wish = z.output<typeof webhookInputSchema> & { idempotencyKey: string | undefined }

/**
 * Makes a webhook endpoint. A session needs a confirmation, because the endpoint receives codes as long as it exists.
 * An endpoint made by an API key ends with the key. Throws CONFIRM_PASSWORD, INVALID_INPUT, TOO_MANY_WEBHOOKS,
 * TOO_MANY_REQUESTS, IDEMPOTENCY_CONFLICT.
 */
export async function makeEndpoint(ctx: Context, member: Member, wish: Wish): Promise<MadeEndpoint> {
  // The URL is checked first, so that nobody confirms a password for a URL that is refused.
  const host = hostOf(ctx, wish.url)
  await confirmWayOut(ctx, member, null)
  const { userId } = member
  const most = member.key?.sandbox === true ? MOST_OF_PLAY : MAX_WEBHOOKS
  const inputHash = hashParts([wish.label, wish.url, wish.form, wish.events])
  const repeat = { userId, apiKeyId: member.key?.id ?? null, wish, inputHash }
  const earlier = await findEarlier(ctx, repeat)
  if (earlier !== null) return earlier
  await limitNewAddresses(ctx, userId)
  const { secret, sealed } = makeSecret(ctx)
  const row = await transaction(ctx.db, async (tx) => {
    const made = await insertEndpoint(tx, {
      userId,
      apiKeyId: repeat.apiKeyId,
      label: wish.label,
      url: wish.url,
      host,
      form: wish.form,
      events: eventsOf(wish.form, wish.events),
      secret: sealed,
      most,
      now: ctx.clock.now(),
      idempotencyKey: wish.idempotencyKey ?? null,
      inputHash,
    })
    if (made !== null) await tellOwner(ctx, tx, { userId, label: made.label, host, moved: false })
    return made
  }).catch(async (error: unknown) => {
    if (!isUniqueViolation(error, 'webhook_endpoints_once')) throw error
    return findEarlier(ctx, repeat)
  })
  if (row === null) throw tooManyWebhooks(most)
  return 'row' in row ? row : { row, secret: wish.form === 'field' ? null : secret }
}

type Repeat = { userId: number; apiKeyId: number | null; wish: Wish; inputHash: string }

/**
 * Finds the endpoint of an earlier request; only the same caller gets its secret again. Throws IDEMPOTENCY_CONFLICT.
 */
async function findEarlier(ctx: Context, { userId, apiKeyId, wish, inputHash }: Repeat): Promise<MadeEndpoint | null> {
  if (wish.idempotencyKey === undefined) return null
  const row = await findByKey(ctx.db, { userId, key: wish.idempotencyKey, now: ctx.clock.now() })
  if (row === null) return null
  if (row.input_hash !== inputHash || row.api_key_id !== apiKeyId) throw idempotencyConflict()
  return { row, secret: row.form === 'field' ? null : openSecret(ctx, row.secret) }
}

/**
 * Returns the `wanted` events of an endpoint, or all events of its form if undefined. The form `field` has only the
 * events of SMS codes. Throws INVALID_INPUT for other events.
 */
export function eventsOf(form: WebhookForm, wanted: readonly WebhookEvent[] | undefined): readonly WebhookEvent[] {
  const known: readonly WebhookEvent[] = form === 'field' ? CODE_EVENTS : WEBHOOK_EVENTS
  if (wanted === undefined) return known
  if (wanted.every((event) => known.includes(event))) return wanted
  throw invalidInput({ events: [wordsOf('field.webhookEvents')] })
}

/** Returns the host of a URL. Throws INVALID_INPUT if the host is not public or the URL has no TLS. */
export function hostOf(ctx: Context, url: string): string {
  try {
    return readOutsideUrl(url, ctx.config.outboundPrivateHosts).host
  } catch (error) {
    if (!(error instanceof OutsideRefused)) throw error
    throw invalidInput({ url: [wordsOf('field.webhookUrl')] })
  }
}
