import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { LOCALES, type Locale } from '#contract/constants.ts'
import { KIBIBYTE, SECOND } from '#contract/time.ts'
import { readParameters } from '#server/adapters/shared/parameters/read-parameters.ts'
import { memberByApiKey } from '#server/core/accounts/api-keys/member-by-key.ts'
import type { Context } from '#server/house/context.ts'
import { malformedBody, tooManyRequests } from '#server/house/errors/errors.ts'
import type { Wire } from '#server/house/http/call.ts'
import { countedAs, zoneOf } from '#server/house/http/caller.ts'
import { noteRefusedCall } from '#server/house/http/door/refusals.ts'
import { refuseInMaintenance } from '#server/house/http/door/refuse-in-maintenance.ts'
import { sendPacked } from '#server/house/http/door/send-packed.ts'
import { REQUEST_ID_HEADER, toAppError } from '#server/house/http/error-reply.ts'
import { idempotencyKeyOf } from '#server/house/http/idempotency-key.ts'
import { shownKey } from '#server/house/http/shown-key.ts'
import { createRateLimit, type RateLimit } from '#server/house/limits/rate-limit.ts'
import { contextOf, markSandboxReply } from '#server/house/sandbox.ts'
import { underId } from '#server/house/trace.ts'
import { type Answer, json, word } from './answer.ts'
import { type FiveSimCall, type Given, guestCall } from './call.ts'
import { fiveSimCalls } from './calls.ts'
import { loggedCall } from './logged-call.ts'
import { type Refused, refused, toRefused } from './refusals.ts'

const PREFIX = '/v1'
const BODY_LIMIT_BYTES = 4 * KIBIBYTE
const UNAVAILABLE = 503
const UNKNOWN_KEY: Answer = { refused: { word: null, httpStatus: 401 } }
/** The API key's call log shows this for unknown paths, so that it holds no text from callers. */
const UNKNOWN_CALL = '/v1'
export type FlashOf = (ctx: Context, locale: Locale) => string

/** A list of all prices has megabytes, and resellers read it once a minute. */
const whole = createRateLimit({ name: 'whole 5sim price lists of a network', burst: 10, refillMs: 5 * SECOND })
const dear = createRateLimit({ name: 'dear 5sim calls of a network', burst: 10, refillMs: SECOND })

type Door = { limit: RateLimit; call: FiveSimCall | undefined }

/** Serves 5sim's API v1 (docs/api/five-sim.md). Errors are plain texts, so this API writes its own error replies. */
export async function registerFiveSim(app: FastifyInstance, ctx: Context, flashOf: FlashOf): Promise<void> {
  const perSecond = ctx.config.apiRequestsPerSecond
  const limit = createRateLimit({ name: '5sim calls of a caller', burst: perSecond, refillMs: SECOND / perSecond })
  await app.register(
    async (scope) => {
      scope.removeAllContentTypeParsers()
      const asText = { parseAs: 'string', bodyLimit: BODY_LIMIT_BYTES } as const
      scope.addContentTypeParser('*', asText, (_request, body, done) => done(null, body))
      scope.addHook('onRequest', async (request, reply) => {
        // The npm client 5sim-api sends a content type with each GET. Other clients send a body without one.
        delete request.raw.headers['content-type']
        reply.headers({ [REQUEST_ID_HEADER]: request.id, 'cache-control': 'no-store' })
      })
      scope.addHook('onRequest', refuseInMaintenance(ctx))
      scope.setErrorHandler((error, request, reply) => fail(ctx, { request, reply }, error))
      const handle = (call: FiveSimCall | undefined) => async (request: FastifyRequest, reply: FastifyReply) =>
        send(ctx, { request, reply }, await underId(request.id, () => answer(ctx, { limit, call }, { request, reply })))
      scope.setNotFoundHandler(handle(undefined))
      // Unknown paths need routes, because the catch-all route for pages precedes any not-found handler.
      for (const url of ['/', '/*']) scope.get(url, { exposeHeadRoute: false }, handle(undefined))
      for (const call of [...fiveSimCalls, flashCall(flashOf)]) {
        // A HEAD request would buy a number, but its reply could not name the number.
        const route = { method: call.method, exposeHeadRoute: false, handler: handle(call) }
        scope.route({ ...route, url: call.path })
        scope.route({ ...route, url: `${call.path}/` })
      }
    },
    { prefix: PREFIX },
  )
}

function flashCall(flashOf: FlashOf): FiveSimCall {
  return guestCall('/guest/flash/:lang', (ctx, { lang }) => {
    const locale = LOCALES.find((each) => each === lang?.toLowerCase())
    return locale === undefined ? word('not found') : json({ text: flashOf(ctx, locale) })
  })
}

/** The API key is checked first, so a caller with a wrong key learns nothing else. */
async function answer(ctx: Context, { limit, call }: Door, { request, reply }: Wire): Promise<Answer> {
  const key = shownKey(request.headers)
  const network = ctx.clients.networkOf(request.raw)
  if (key === undefined) {
    if (call?.access === 'key') return UNKNOWN_KEY
    const given = await read(request)
    const retryAfterSeconds = await wait(ctx, { limit, call, given }, `network ${network}`)
    if (retryAfterSeconds > 0) return { refused: { ...refused('too many requests', UNAVAILABLE), retryAfterSeconds } }
    return call === undefined ? word('not found') : call.run(ctx, given, zoneOf(ctx, request))
  }
  const address = ctx.clients.addressOf(request.raw)
  const name = call?.name ?? UNKNOWN_CALL
  const member = await memberByApiKey(ctx, { key, address, network, call: () => name })
  if (member === null) return UNKNOWN_KEY
  const world = contextOf(ctx, member)
  markSandboxReply(reply, world)
  return loggedCall(ctx, { member, name, address }, async () => {
    const given = await read(request)
    const retryAfterSeconds = await wait(ctx, { limit, call, given }, `user ${countedAs(member)}`)
    if (retryAfterSeconds > 0) throw tooManyRequests(retryAfterSeconds)
    if (call === undefined) return word('not found')
    if (call.access === 'guest') return call.run(world, given, member)
    // Every refused API key gets the same reply, so a thief does not learn the restrictions of a stolen key.
    if (member.key?.scopes.includes(call.scope) !== true) return UNKNOWN_KEY
    const idempotencyKey = call.scope === 'buy' ? idempotencyKeyOf({ request, reply }) : undefined
    return call.run(world, given, { ...member, idempotencyKey })
  })
}

async function wait(ctx: Context, { limit, call, given }: Door & { given: Given }, caller: string): Promise<number> {
  const { isTaken, waitMs } = await limit.take(ctx, caller)
  const slower = isTaken ? await slowerLimit(call, given)?.take(ctx, caller) : undefined
  return Math.ceil((slower?.waitMs ?? waitMs) / SECOND)
}

function slowerLimit(call: FiveSimCall | undefined, given: Given): RateLimit | null {
  if (call?.access === 'guest') return call.isWhole(given) ? whole : null
  return call?.isDear === true ? dear : null
}

/** PostgreSQL cannot store NUL. */
async function read(request: FastifyRequest): Promise<Given> {
  const path: Record<string, unknown> = Object.assign({}, request.params)
  const parts = Object.entries(path).flatMap(([name, value]): [string, string][] => {
    const text = typeof value === 'string' ? value.trim() : ''
    return text === '' ? [] : [[name, text]]
  })
  const given = { ...readParameters(request), ...Object.fromEntries(parts) }
  if (Object.values(given).some((value) => value.includes('\0'))) throw malformedBody()
  return given
}

async function send(ctx: Context, { request, reply }: Wire, given: Answer): Promise<FastifyReply> {
  if ('refused' in given) return refuse(ctx, reply, given.refused)
  if (given.etag !== undefined) {
    reply.header('etag', given.etag)
    if (request.headers['if-none-match'] === given.etag) return reply.code(304).send()
  }
  // The client PyFiveSim compares the content type with exactly this value, without a charset.
  return sendPacked(reply, given.json, request.headers['accept-encoding'], 'application/json')
}

/** Answers a path that matches no route, because it cannot be decoded or has too long a part. */
export function refuseFiveSimPath(ctx: Context, wire: Wire, error: unknown): boolean {
  if (!wire.request.url.startsWith(`${PREFIX}/`)) return false
  const known = toAppError(error)
  refuse(ctx, wire.reply, known.code === 'NOT_FOUND' ? refused('not found') : toRefused(known))
  return true
}

function fail(ctx: Context, { request, reply }: Wire, error: unknown): FastifyReply {
  const known = toAppError(error)
  const route = request.routeOptions.url ?? PREFIX
  if (known.code === 'SERVER_ERROR') ctx.log.error({ error, route, requestId: request.id }, 'a request failed')
  noteRefusedCall(ctx, known, { network: ctx.clients.networkOf(request.raw), route })
  return refuse(ctx, reply, toRefused(known))
}

function refuse(
  ctx: Context,
  reply: FastifyReply,
  { word: said, httpStatus, retryAfterSeconds }: Refused,
): FastifyReply {
  if (retryAfterSeconds !== undefined) reply.header('retry-after', retryAfterSeconds)
  const status = said === 'no free phones' ? ctx.config.fiveSimNoPhonesStatus : httpStatus
  return reply
    .code(status)
    .type('text/plain; charset=utf-8')
    .send(said ?? '')
}
