import type { IncomingMessage } from 'node:http'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Context } from '#server/context.ts'
import { encodingFor } from '#server/http/door/content-encoding.ts'
import type { RateLimit } from '#server/http/door/rate-limit.ts'
import { transportSecurity } from '#server/http/door/transport-security.ts'
import { namesSomebody } from '#server/http/shown-key.ts'
import type { ReadyAnswer } from './answer.ts'
import { answerInFront } from './front.ts'
import type { ReadyCache } from './ready-cache.ts'

const REQUEST_KEY_MAX_LENGTH = 500

export type RememberCall = (
  request: FastifyRequest,
  from: { key: string; version: number; answer: ReadyAnswer },
) => void

/** Cached replies skip Fastify, which would cost more, but count against the rate limit. */
export function answerCallsInFront(
  app: FastifyInstance,
  ctx: Context,
  { ready, perCaller }: { ready: ReadyCache; perCaller: RateLimit },
): RememberCall {
  const everyReply = { 'x-content-type-options': 'nosniff', ...transportSecurity(ctx.config) }
  answerInFront(app, (request) => {
    const requestKey = requestKeyOf(request)
    const answer = requestKey === null ? undefined : ready.again(requestKey)
    if (answer === undefined) return undefined
    if (perCaller.take(ctx, ctx.clients.networkOf(request), ctx.clock.now()) > 0) return undefined
    ctx.metrics.cachedReplies.count += 1
    return answer
  })
  return (request, { key, version, answer }) => {
    const requestKey = requestKeyOf(request.raw)
    if (requestKey === null) return
    ready.remember(requestKey, key, { ...answer, headers: { ...answer.headers, ...everyReply } }, version)
  }
}

/** Everything that a visitor's reply can depend on. null: it may depend on more. */
function requestKeyOf({ method, url = '', headers }: IncomingMessage): string | null {
  if (method !== 'GET' || namesSomebody(headers) || headers['x-forwarded-host'] !== undefined) return null
  if (!url.startsWith('/api/') || url.length > REQUEST_KEY_MAX_LENGTH) return null
  const { host, zone, locale, 'if-none-match': etag } = headers
  const key = ['call', url, host, zone, locale, encodingFor(headers['accept-encoding']), etag].join('\n')
  return key.length > REQUEST_KEY_MAX_LENGTH ? null : key
}
