import type { ServerResponse } from 'node:http'
import type { FastifyInstance } from 'fastify'
import { SECOND } from '#contract/time.ts'
import { servedDialect } from '#server/adapters/handler-api/wire/dialects.ts'
import type { Parameters } from '#server/adapters/shared/parameters/read-parameters.ts'
import { keyCallLogOf } from '#server/core/accounts/api-keys/call-log.ts'
import { READABLE } from '#server/core/accounts/api-keys/cross-origin.ts'
import { rememberedMember } from '#server/core/accounts/api-keys/member-by-key.ts'
import type { Context } from '#server/house/context.ts'
import { transportSecurity } from '#server/house/http/door/transport-security.ts'
import { REQUEST_ID_HEADER } from '#server/house/http/error-reply.ts'
import { answerInFront } from '#server/house/http/ready/front.ts'
import type { RateLimit, Taken } from '#server/house/limits/rate-limit.ts'
import { actions } from './actions.ts'
import { PATH } from './addresses.ts'
import { wordOf } from './logged-answer.ts'
import { readPlainCall } from './plain-call.ts'

/** Programs poll these actions every few seconds, and the replies are plain text. */
const POLLS: ReadonlySet<string> = new Set(['getStatus', 'getFullSms', 'getBalance'])

/**
 * Answers polls with a cached API key before Fastify, which costs as much as the poll's SQL. If the reply is not plain
 * text, Fastify runs the poll again, which only reads.
 */
export function answerPolls(app: FastifyInstance, ctx: Context, limit: RateLimit): void {
  const sent = {
    'content-type': 'text/plain; charset=utf-8',
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    ...READABLE,
    ...transportSecurity(ctx.config),
  }
  const seconds = ctx.metrics.requests.labels({ route: PATH, status: '2xx' })
  answerInFront(app, (request, response, onward) => {
    const asked = readPlainCall(request)
    const action = asked !== undefined && POLLS.has(asked.action) ? actions.get(asked.action) : undefined
    if (asked === undefined || action?.access !== 'key') return undefined
    const address = ctx.clients.addressOf(request)
    const now = ctx.clock.now()
    const member = rememberedMember(ctx, { name: asked.keyName, address, now })
    const key = member?.key
    if (member === undefined || key == null || key.sandbox || !key.scopes.includes(action.scope)) return undefined
    const caller = `user ${member.userId}`
    const startedAt = performance.now()
    const dialect = servedDialect(asked.spoken ?? key.dialect ?? 'union')
    const parameters: Parameters = asked.id === undefined ? {} : { id: asked.id }
    const run = ({ isTaken }: Taken) => {
      if (!isTaken) return undefined
      action.run(ctx, parameters, { member, dialect }).then((answer) => {
        if (answer.kind !== 'text') return giveUp()
        keyCallLogOf(ctx).note(key.id, { call: asked.action, result: wordOf(answer), address, now })
        write(response, { ...sent, [REQUEST_ID_HEADER]: ctx.random.uuid() }, answer.text)
        seconds.observe((performance.now() - startedAt) / SECOND)
      }, giveUp)
      return 'taken'
    }
    const taking = limit.take(ctx, caller)
    return taking instanceof Promise ? taking.then(run) : run(taking)

    function giveUp(): void {
      limit.giveBack(ctx, caller).then(onward, onward)
    }
  })
}

function write(response: ServerResponse, headers: Record<string, string>, text: string): void {
  response.writeHead(200, { ...headers, 'content-length': Buffer.byteLength(text) })
  // Node sends a string together with the headers, but a buffer as a second piece.
  response.end(text)
}
