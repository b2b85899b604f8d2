import type { IncomingMessage } from 'node:http'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { boundedCache } from '#server/bounded-cache.ts'
import type { Context } from '#server/context.ts'
import { encodingFor } from '#server/http/door/content-encoding.ts'
import type { RateLimit } from '#server/http/door/rate-limit.ts'
import { transportSecurity } from '#server/http/door/transport-security.ts'
import { namesSomebody } from '#server/http/shown-key.ts'
import { answerInFront } from './answer-in-front.ts'
import { pricesVersion } from './prices-version.ts'
import { answerFrom, type ReplyCache } from './reply-cache.ts'

/** Ready requests share their replies with the cache: an entry is two short texts. */
const MAX_REQUESTS = 5_000
/** Longer ones are answered like any other, and not remembered. */
const REQUEST_KEY_MAX_LENGTH = 500

/** What a visitor's request for a kept reply is remembered by. */
export type RequestCache = {
  /** The request of a visitor has been answered with the reply kept as `key`, which held at this `pricesVersion`. */
  remember(request: FastifyRequest, reply: { key: string; version: number }): void
}

/**
 * Visitors' requests for kept replies go out before Fastify does anything, which would cost more than the reply: those
 * that were answered before, as long as the prices stand. They count against the caller's limit like all others.
 */
export function answerFromCache(
  app: FastifyInstance,
  ctx: Context,
  { replies, perCaller }: { replies: ReplyCache; perCaller: RateLimit },
): RequestCache {
  const known = boundedCache<string, { key: string; version: number }>(MAX_REQUESTS)
  const everyReply = { 'x-content-type-options': 'nosniff', ...transportSecurity(ctx.config) }
  answerInFront(app, (request) => {
    const requestKey = requestKeyOf(request)
    const found = requestKey === null ? undefined : known.get(requestKey)
    if (found === undefined || found.version !== pricesVersion(ctx)) return undefined
    const kept = replies.find(found.key, encodingFor(request.headers['accept-encoding']))
    if (kept === undefined) return undefined
    // One who asks too often is told so by the call itself.
    if (perCaller.take(ctx, ctx.clients.networkOf(request), ctx.clock.now()) > 0) return undefined
    ctx.metrics.cachedReplies.count += 1
    const answer = answerFrom(kept, 'everybody', request.headers['if-none-match'])
    return { ...answer, headers: { ...answer.headers, ...everyReply } }
  })
  return {
    remember(request, reply) {
      const requestKey = requestKeyOf(request.raw)
      if (requestKey !== null) known.set(requestKey, reply)
    },
  }
}

/** Everything but its encoding that the reply to a visitor can depend on, word for word. null: it may depend on more. */
function requestKeyOf({ method, url = '', headers }: IncomingMessage): string | null {
  if (method !== 'GET' || namesSomebody(headers) || headers['x-forwarded-host'] !== undefined) return null
  if (!url.startsWith('/api/') || url.length > REQUEST_KEY_MAX_LENGTH) return null
  const key = `${url}\n${headers.host}\n${headers.zone}\n${headers.locale}`
  return key.length > REQUEST_KEY_MAX_LENGTH ? null : key
}
