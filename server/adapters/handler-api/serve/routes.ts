import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { KeyDialect } from '#contract/api-key.ts'
import { KIBIBYTE, SECOND } from '#contract/time.ts'
import { type ServedDialect, servedDialect } from '#server/adapters/handler-api/wire/dialects.ts'
import { readParameters } from '#server/adapters/shared/parameters/read-parameters.ts'
import { answerPreflight, makeReadable } from '#server/core/accounts/api-keys/cross-origin.ts'
import { memberByApiKey } from '#server/core/accounts/api-keys/member-by-key.ts'
import type { Context } from '#server/house/context.ts'
import { countedAs } from '#server/house/http/caller.ts'
import { noteRefusedCall } from '#server/house/http/door/refusals.ts'
import { refuseInMaintenance } from '#server/house/http/door/refuse-in-maintenance.ts'
import { sendPacked } from '#server/house/http/door/send-packed.ts'
import { REQUEST_ID_HEADER, toAppError } from '#server/house/http/error-reply.ts'
import { createRateLimit, type RateLimit } from '#server/house/limits/rate-limit.ts'
import { contextOf, isSandbox, markSandboxReply } from '#server/house/sandbox.ts'
import { underId } from '#server/house/trace.ts'
import { registerCryptoWallet } from './account/wallet.ts'
import { actions } from './actions.ts'
import { ADDRESSES, PATH } from './addresses.ts'
import { type Answer, type Refusal, word } from './answer.ts'
import { type CachedLists, createCachedLists } from './cached-lists.ts'
import { readsOlderTypes } from './dialects/older-types.ts'
import { sayRefusal } from './dialects/say-refusal.ts'
import { loggedAnswer } from './logged-answer.ts'
import { markSandbox } from './mark-sandbox.ts'
import { keyOf } from './parameters/key-of.ts'
import { isPlain } from './plain-call.ts'
import { answerPolls } from './polls.ts'
import { toRefusal } from './refusals.ts'

const BODY_LIMIT_BYTES = 16 * KIBIBYTE
/** A client that accepts this media type reads the HTTP status as well as the refusal text. */
const PROBLEM_TYPE = 'application/problem+json'

/** Serves handler_api in its own Fastify scope, for its own formats of bodies and errors (docs/api/handler_api.md). */
export function registerHandlerApi(app: FastifyInstance, ctx: Context): void {
  const perSecond = ctx.config.apiRequestsPerSecond
  const limit = createRateLimit({
    name: 'handler_api calls of a caller',
    burst: perSecond,
    refillMs: SECOND / perSecond,
  })
  const lists = createCachedLists(app, ctx, limit)
  // Polls answered before Fastify skip the hook that refuses requests during maintenance.
  if (ctx.config.maintenanceMessage === null) answerPolls(app, ctx, limit)
  app.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    const asText = { parseAs: 'string', bodyLimit: BODY_LIMIT_BYTES } as const
    scope.addContentTypeParser('*', asText, (_request, body, done) => done(null, body))
    scope.addHook('onRequest', async (request, reply) => {
      makeReadable(request, reply)
      // Clients send wrong, empty and malformed content types, so read-parameters.ts detects the format.
      delete request.raw.headers['content-type']
    })
    scope.addHook('onRequest', async (request, reply) => {
      reply.header(REQUEST_ID_HEADER, request.id)
    })
    scope.addHook('onRequest', refuseInMaintenance(ctx))
    scope.setErrorHandler((error, request, reply) => refuse(ctx, request, reply, error))
    registerCryptoWallet(scope, ctx, limit)
    for (const { url, spoken } of ADDRESSES) {
      scope.route({
        method: ['GET', 'POST'],
        url,
        exposeHeadRoute: false,
        handler: async (request, reply) => {
          const exchange: Exchange = { ctx, spoken, request, reply, lists, listName: null }
          exchanges.set(request, exchange)
          return send(exchange, reply, await underId(request.id, () => answer(ctx, limit, exchange)))
        },
      })
      // A HEAD request does nothing. It would buy a number, but its reply could not name the number.
      scope.head(url, (_request, reply) => sendText(reply.header('cache-control', 'no-store'), ''))
      scope.options(url, (_request, reply) => answerPreflight(reply))
    }
  })
}

type Exchange = {
  ctx: Context
  /** The dialect of the address, or else of the API key. Null until known, which means the union of all dialects. */
  spoken: KeyDialect | null
  request: FastifyRequest
  reply: FastifyReply
  lists: CachedLists
  listName: string | null
}
const exchanges = new WeakMap<FastifyRequest, Exchange>()

function dialectOf({ spoken }: Pick<Exchange, 'spoken'>): ServedDialect {
  return servedDialect(spoken ?? 'union')
}

/** The API key is checked first, so a caller with a wrong key learns nothing else. */
async function answer(ctx: Context, limit: RateLimit, exchange: Exchange): Promise<Answer> {
  const { request } = exchange
  const parameters = readParameters(request)
  // The page /api.php of SMSHub names the parameter of the action `asc`.
  const name = parameters.action ?? parameters.asc ?? ''
  const action = actions.get(name)
  // If the action is unknown, the API key's call log must hold no text from the caller.
  const call = action === undefined ? 'BAD_ACTION' : name
  const key = keyOf(parameters, request.headers)
  const network = ctx.clients.networkOf(request.raw)
  if (key === undefined) {
    if (action?.access !== 'public') return word('NO_KEY')
    await limit.spend(ctx, `network ${network}`)
    return action.run(ctx, parameters, dialectOf(exchange))
  }
  const address = ctx.clients.addressOf(request.raw)
  const member = await memberByApiKey(ctx, { key, address, network, call: () => call })
  if (member === null) return word('BAD_KEY')
  exchange.spoken ??= member.key?.dialect ?? null
  const dialect = dialectOf(exchange)
  const world = contextOf(ctx, member)
  markSandboxReply(exchange.reply, world)
  if (!isSandbox(world) && isPlain(request.method, parameters)) {
    exchange.listName = exchange.lists.nameOf({ action: name, dialect: dialect.name, member })
  }
  const answered = await loggedAnswer(ctx, { member, call, address }, async () => {
    await limit.spend(ctx, `user ${countedAs(member)}`)
    if (action === undefined) return word('BAD_ACTION')
    if (action.access === 'public') return action.run(world, parameters, dialect)
    // Every refused API key gets the same text, so a thief does not learn the restrictions of a stolen key.
    if (member.key?.scopes.includes(action.scope) !== true) return word('BAD_KEY')
    return action.run(world, parameters, { member, dialect })
  })
  return isSandbox(world) ? markSandbox(name, answered) : answered
}

async function send(exchange: Exchange, reply: FastifyReply, given: Answer): Promise<FastifyReply> {
  const { headers } = exchange.request
  reply.header('cache-control', 'no-store')
  switch (given.kind) {
    case 'text':
      return sendText(reply, given.text)
    case 'refusal':
      return sendRefusal(exchange, reply, given)
    case 'json': {
      const older = dialectOf(exchange).number.olderGo && readsOlderTypes(headers) ? given.older : undefined
      const json = older ?? given.json
      if (Buffer.isBuffer(json)) return exchange.lists.send(reply, { name: exchange.listName, headers }, json)
      return sendPacked(reply, json, headers['accept-encoding'])
    }
    case 'nothing':
      return reply.code(204).send()
    default:
      return given satisfies never
  }
}

function sendText(reply: FastifyReply, text: string): FastifyReply {
  return reply.type('text/plain; charset=utf-8').send(text)
}

/** Sends a refusal with status 200, or HeroSMS's status for problem+json. Clients ignore the text of other statuses. */
function sendRefusal(
  exchange: Pick<Exchange, 'ctx' | 'spoken' | 'request'>,
  reply: FastifyReply,
  refusal: Refusal,
): FastifyReply {
  const { text, isJson, status } = sayRefusal(dialectOf(exchange), refusal, exchange.ctx.config)
  if (status !== 200 && exchange.request.headers.accept?.includes(PROBLEM_TYPE) === true) reply.code(status)
  return isJson ? reply.type('application/json; charset=utf-8').send(text) : sendText(reply, text)
}

function refuse(ctx: Context, request: FastifyRequest, reply: FastifyReply, error: unknown): FastifyReply {
  const known = toAppError(error)
  // The path is logged instead of the URL, because the URL contains the API key.
  if (known.code === 'SERVER_ERROR') ctx.log.error({ error, route: PATH, requestId: request.id }, 'a request failed')
  noteRefusedCall(ctx, known, { network: ctx.clients.networkOf(request.raw), route: PATH })
  const { refusal, httpStatus, retryAfterSeconds } = toRefusal(known)
  if (retryAfterSeconds !== undefined) reply.header('retry-after', retryAfterSeconds)
  const exchange = exchanges.get(request) ?? { ctx, spoken: null, request }
  reply.header('cache-control', 'no-store')
  // An error with its own HTTP status is plain text in every dialect, because clients read no body with it.
  if (httpStatus !== 200) return sendText(reply.code(httpStatus), refusal.word)
  return sendRefusal(exchange, reply, refusal)
}
