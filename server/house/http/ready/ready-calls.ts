import type { IncomingMessage } from 'node:http'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Context } from '#server/house/context.ts'
import type { Member } from '#server/house/http/caller.ts'
import { encodingFor } from '#server/house/http/door/content-encoding.ts'
import { transportSecurity } from '#server/house/http/door/transport-security.ts'
import { namesSomebody } from '#server/house/http/shown-key.ts'
import { type RateLimit, rateLimitHeaders, type Taken } from '#server/house/limits/rate-limit.ts'
import type { ReadyAnswer } from './answer.ts'
import { answerInFront } from './front.ts'
import { type KnownSession, knowSessions } from './known-sessions.ts'
import type { ReadyCache } from './ready-cache.ts'

const REQUEST_KEY_MAX_LENGTH = 500

export type ReadyCalls = {
  /** The count of sessions dropped from the cache. A caller must read it before any look-up. */
  readonly forgotten: number
  remember(
    request: FastifyRequest,
    from: { key: string; version: number; answer: ReadyAnswer; member: Member | null; forgotten: number },
  ): void
  /** Drops the member's session from the cache. Call it after a change, and before the change's reply is sent. */
  forget(request: FastifyRequest, member: Member | null): void
}

type Front = { ready: ReadyCache; perCaller: RateLimit; paths: ReadonlySet<string> }

/** Answers calls from the cache, before Fastify, which would cost more. The replies count against the rate limit. */
export function answerCallsInFront(app: FastifyInstance, ctx: Context, { ready, perCaller, paths }: Front): ReadyCalls {
  const everyReply = { 'x-content-type-options': 'nosniff', ...transportSecurity(ctx.config) }
  const sessions = knowSessions()
  answerInFront(app, (request) => {
    if (!paths.has(pathOf(request))) return undefined
    const now = ctx.clock.now()
    const session = namesSomebody(request.headers) ? sessions.find(request, now) : null
    const requestKey = session === undefined ? null : requestKeyOf(request, session)
    const answer = requestKey === null ? undefined : ready.again(requestKey)
    if (answer === undefined) return undefined
    const caller = session?.userId.toString() ?? ctx.clients.networkOf(request)
    const send = (taken: Taken) => {
      if (!taken.isTaken) return undefined
      ctx.metrics.cachedReplies.count += 1
      if (session == null) return answer
      return { ...answer, headers: { ...answer.headers, ...rateLimitHeaders(taken) } }
    }
    const taking = perCaller.take(ctx, caller)
    return taking instanceof Promise ? taking.then(send) : send(taking)
  })
  return {
    get forgotten() {
      return sessions.forgotten
    },
    remember({ raw }, { key, version, answer, member, forgotten }) {
      const now = ctx.clock.now()
      const session = member === null ? null : sessions.note(raw, { member, forgotten, now })
      if (session === undefined || (session === null && namesSomebody(raw.headers))) return
      const requestKey = requestKeyOf(raw, session)
      if (requestKey === null) return
      ready.remember(requestKey, key, { ...answer, headers: { ...answer.headers, ...everyReply } }, version)
    },
    forget: ({ raw }, member) => sessions.forget(raw, member),
  }
}

function pathOf({ url = '' }: IncomingMessage): string {
  const end = url.indexOf('?')
  return end === -1 ? url : url.slice(0, end)
}

/** Returns the cache key of all that a reply can depend on; null if the reply cannot be cached. */
function requestKeyOf({ method, url = '', headers }: IncomingMessage, session: KnownSession | null): string | null {
  if (method !== 'GET' || headers['x-forwarded-host'] !== undefined) return null
  if (url.length > REQUEST_KEY_MAX_LENGTH) return null
  const { host, zone, locale, 'if-none-match': etag } = headers
  const asker = session === null ? '' : `${session.userId} ${session.state}`
  const key = ['call', url, host, zone, locale, encodingFor(headers['accept-encoding']), etag, asker].join('\n')
  return key.length > REQUEST_KEY_MAX_LENGTH ? null : key
}
