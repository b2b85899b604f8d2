import { createHash, ECDH } from 'node:crypto'
import { MOST_PUSH_BROWSERS, type PushReply } from '#contract/notifications/notification.ts'
import { seal, unseal } from '#server/house/config/secret-key.ts'
import type { Context } from '#server/house/context.ts'
import { wordsOf } from '#server/house/errors/error-words.ts'
import { forbidden, invalidInput, notFound, unauthenticated } from '#server/house/errors/errors.ts'
import type { Member } from '#server/house/http/caller.ts'
import { OutsideRefused, readOutsideUrl } from '#server/house/http/outbound/ask-outside.ts'
import { pushKeysOf } from './push-keys.ts'
import {
  deleteOwnSubscription,
  findPushKeys,
  insertSubscription,
  listAllSubscriptions,
  listOwnSubscriptions,
  resealSubscription,
} from './queries/subscriptions.ts'
import { noteSubscriber } from './subscribers.ts'

/** The address and keys by which one browser is reached (RFC 8030, RFC 8291). */
export type Subscription = { endpoint: string; p256dh: string; auth: string }

/** Lists the browsers that get pushes. Throws FORBIDDEN for an API key, because a program has no browser. */
export async function listPush(ctx: Context, { userId, sessionId }: Member): Promise<PushReply> {
  if (sessionId === null) throw forbidden()
  const { publicKey } = await pushKeysOf(ctx)
  const rows = await listOwnSubscriptions(ctx.db, userId)
  return {
    status: true,
    public_key: publicKey,
    subscriptions: rows.map(({ id, session_id, created_at, gone_at }) => ({
      id: Number(id),
      current: session_id === sessionId,
      created_at: created_at.toISOString(),
      gone_at: gone_at?.toISOString() ?? null,
    })),
  }
}

/**
 * Stores a browser's subscription. Throws INVALID_INPUT if the endpoint URL is not public or the browser's key is
 * invalid, and FORBIDDEN without a session.
 */
export async function subscribe(ctx: Context, member: Member, subscription: Subscription): Promise<PushReply> {
  const { userId, sessionId } = member
  if (sessionId === null) throw forbidden()
  refuseWrong(ctx, subscription)
  const id = await insertSubscription(ctx.db, {
    userId,
    sessionId,
    most: MOST_PUSH_BROWSERS,
    now: ctx.clock.now(),
    endpointHash: createHash('sha256').update(subscription.endpoint).digest(),
    sealed: seal(subscription, ctx.secrets.secretKey, ctx.random),
  })
  if (id === null) throw unauthenticated()
  await noteSubscriber(ctx, userId)
  return listPush(ctx, member)
}

export async function unsubscribe(ctx: Context, { userId }: Member, id: number): Promise<void> {
  if (!(await deleteOwnSubscription(ctx.db, { id, userId }))) throw notFound()
}

export function openSubscription(ctx: Context, sealed: Record<string, unknown>): Subscription {
  return opened(ctx, sealed).subscription
}

function opened(ctx: Context, sealed: Record<string, unknown>): { subscription: Subscription; outdated: boolean } {
  const { value, outdated } = unseal(sealed, [ctx.secrets.secretKey, ...ctx.secrets.previousSecretKeys])
  const { endpoint, p256dh, auth } = value
  if (typeof endpoint !== 'string' || typeof p256dh !== 'string' || typeof auth !== 'string') {
    throw new Error('a sealed subscription is incomplete')
  }
  return { subscription: { endpoint, p256dh, auth }, outdated }
}

const BATCH = 500

/** Encrypts all subscriptions again with the current SECRET_KEY, so that a replaced key can be removed. */
export async function resealSubscriptions(ctx: Context): Promise<void> {
  if (ctx.secrets.previousSecretKeys.length === 0) return
  if ((await findPushKeys(ctx.db)) !== null) await pushKeysOf(ctx)
  for (let after = 0n; ; ) {
    const rows = await listAllSubscriptions(ctx.db, { after, limit: BATCH })
    for (const { id, sealed } of rows) {
      const { subscription, outdated } = opened(ctx, sealed)
      const fresh = seal(subscription, ctx.secrets.secretKey, ctx.random)
      if (outdated) await resealSubscription(ctx.db, { id, was: sealed, fresh })
    }
    const last = rows.at(-1)
    if (last === undefined || rows.length < BATCH) return
    after = last.id
  }
}

function refuseWrong(ctx: Context, { endpoint, p256dh }: Subscription): void {
  try {
    readOutsideUrl(endpoint, ctx.config.outboundPrivateHosts)
  } catch (error) {
    if (!(error instanceof OutsideRefused)) throw error
    throw invalidInput({ endpoint: [wordsOf('field.invalid')] })
  }
  if (!isPoint(p256dh)) throw invalidInput({ keys: [wordsOf('field.invalid')] })
}

/** Returns true for a public key on the curve P-256. OpenSSL throws for any other text. */
function isPoint(text: string): boolean {
  try {
    return ECDH.convertKey(text, 'prime256v1', 'base64url', 'hex', 'uncompressed').length > 0
  } catch {
    return false
  }
}
