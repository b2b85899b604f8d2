import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { KIBIBYTE, SECOND } from '#contract/time.ts'
import { answerPreflight, makeReadable } from '#server/accounts/api-keys/cross-origin.ts'
import { memberByApiKey } from '#server/accounts/api-keys/member-by-key.ts'
import type { Context } from '#server/context.ts'
import { tooManyRequests } from '#server/errors.ts'
import { createRateLimit, type RateLimit } from '#server/http/door/rate-limit.ts'
import { noteRefusedCall } from '#server/http/door/refusals.ts'
import { sendPacked } from '#server/http/door/send-packed.ts'
import { REQUEST_ID_HEADER, toAppError } from '#server/http/error-reply.ts'
import { shownKey } from '#server/http/shown-key.ts'
import { underId } from '#server/trace.ts'
import { actions } from './actions.ts'
import { type Answer, word } from './answer.ts'
import { notedAnswer } from './noted-answer.ts'
import { readsOlderTypes } from './older-types.ts'
import { readParameters } from './parameters/read-parameters.ts'
import { toRefusal } from './words.ts'

const PATH = '/stubs/handler_api.php'
const BODY_LIMIT_BYTES = 16 * KIBIBYTE
/** Clients join host and path with extra slashes. Exactly these paths are aliases, without a redirect. */
const ADDRESSES = ['/', '//'].flatMap((first) =>
  ['/', '//'].flatMap((second) => ['', '/'].map((last) => `${first}stubs${second}handler_api.php${last}`)),
)

/** Encapsulated, because its bodies and errors have their own formats (docs/api/handler_api.md). */
export function registerHandlerApi(app: FastifyInstance, ctx: Context): void {
  const perSecond = ctx.config.apiRequestsPerSecond
  const limit = createRateLimit({ burst: perSecond, refillMs: SECOND / perSecond })
  app.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    const asText = { parseAs: 'string', bodyLimit: BODY_LIMIT_BYTES } as const
    scope.addContentTypeParser('*', asText, (_request, body, done) => done(null, body))
    scope.addHook('onRequest', async (request, reply) => {
      makeReadable(request, reply)
      // Clients send wrong, empty and malformed types; read-parameters.ts detects the format.
      delete request.raw.headers['content-type']
    })
    scope.addHook('onRequest', async (request, reply) => {
      reply.header(REQUEST_ID_HEADER, request.id)
    })
    scope.setErrorHandler((error, request, reply) => refuse(ctx, request, reply, error))
    for (const url of ADDRESSES) {
      scope.route({
        method: ['GET', 'POST'],
        url,
        // A HEAD would buy a number and not tell which.
        exposeHeadRoute: false,
        handler: async (request, reply) =>
          send(request, reply, await underId(request.id, () => answer(ctx, limit, request))),
      })
      scope.options(url, (_request, reply) => answerPreflight(reply))
    }
  })
}

/** Authentication comes first: a wrong key learns nothing else. */
async function answer(ctx: Context, limit: RateLimit, request: FastifyRequest): Promise<Answer> {
  const parameters = await readParameters(request)
  const name = parameters.action ?? ''
  const action = actions.get(name)
  // Of an unknown action the log of a key holds nothing that a caller wrote.
  const call = action === undefined ? 'BAD_ACTION' : name
  const key = parameters.api_key ?? parameters.apikey ?? parameters.apiKey ?? shownKey(request.headers)
  const network = ctx.clients.networkOf(request.raw)
  if (key === undefined) {
    if (action?.access !== 'public') return word('NO_KEY')
    takeTurn(ctx, limit, `network ${network}`)
    return action.run(ctx, parameters)
  }
  const address = ctx.clients.addressOf(request.raw)
  const member = await memberByApiKey(ctx, { key, address, network, call: () => call })
  if (member === null) return word('BAD_KEY')
  return notedAnswer(ctx, { member, call, action, address }, async () => {
    takeTurn(ctx, limit, `user ${member.userId}`)
    if (action === undefined) return word('BAD_ACTION')
    // The same word for each reason to refuse a key: whoever found one learns nothing of its rules.
    if (action.access === 'key' && member.key?.scopes.includes(action.scope) !== true) return word('BAD_KEY')
    return action.run(ctx, parameters, member)
  })
}

function takeTurn(ctx: Context, limit: RateLimit, caller: string): void {
  const waitMs = limit.take(ctx, caller, ctx.clock.now())
  if (waitMs > 0) throw tooManyRequests(Math.ceil(waitMs / SECOND))
}

async function send({ headers }: FastifyRequest, reply: FastifyReply, given: Answer): Promise<FastifyReply> {
  switch (given.kind) {
    case 'text':
      return sendText(reply, given.text)
    case 'json': {
      const json = given.older !== undefined && readsOlderTypes(headers) ? given.older : given.json
      return sendPacked(reply.header('cache-control', 'no-store'), json, headers['accept-encoding'])
    }
    case 'nothing':
      return reply.header('cache-control', 'no-store').code(204).send()
    default:
      return given satisfies never
  }
}

function sendText(reply: FastifyReply, text: string): FastifyReply {
  return reply.header('cache-control', 'no-store').type('text/plain; charset=utf-8').send(text)
}

function refuse(ctx: Context, request: FastifyRequest, reply: FastifyReply, error: unknown): FastifyReply {
  const known = toAppError(error)
  // The path is logged instead of the URL, which holds the key.
  if (known.code === 'SERVER_ERROR') ctx.log.error({ error, route: PATH, requestId: request.id }, 'a request failed')
  noteRefusedCall(ctx, known, { network: ctx.clients.networkOf(request.raw), route: PATH })
  const refusal = toRefusal(known)
  if (refusal.retryAfterSeconds !== undefined) reply.header('retry-after', refusal.retryAfterSeconds)
  return sendText(reply.code(refusal.httpStatus), refusal.text)
}
