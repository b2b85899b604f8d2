import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Locale } from '#contract/constants.ts'
import type { ErrorReply } from '#contract/errors.ts'
import type { Context } from '#server/house/context.ts'
import { isDatabaseAway } from '#server/house/db/constraint.ts'
import {
  AppError,
  bodyTooLarge,
  databaseUnavailable,
  malformedBody,
  notFound,
  serverError,
  unsupportedMediaType,
} from '#server/house/errors/errors.ts'
import { localeOf, zoneOf } from './caller.ts'
import { noteRefusedCall } from './door/refusals.ts'

export const REQUEST_ID_HEADER = 'x-request-id'

export function registerErrorReplies(app: FastifyInstance, ctx: Context): void {
  app.setErrorHandler((error: FastifyError, request, reply) => sendError(ctx, request, reply, error))
}

export function sendError(ctx: Context, request: FastifyRequest, reply: FastifyReply, error: unknown): FastifyReply {
  const known = toAppError(error)
  if (known.code === 'SERVER_ERROR') {
    // The log gets the route pattern, not the URL, because clients of handler_api put their API key into the URL.
    ctx.log.error({ error, route: request.routeOptions.url, requestId: request.id }, 'a request failed')
  }
  const network = ctx.clients.networkOf(request.raw)
  noteRefusedCall(ctx, known, { network, route: request.routeOptions.url })
  const wanted = request.headers.locale
  const locale = localeOf(zoneOf(ctx, request), typeof wanted === 'string' ? wanted : undefined)
  if (known.retryAfterSeconds !== undefined) reply.header('retry-after', known.retryAfterSeconds)
  reply.header(REQUEST_ID_HEADER, request.id)
  return reply.code(known.httpStatus).header('cache-control', 'no-store').send(toReply(known, locale))
}

export function toAppError(error: unknown): AppError {
  if (error instanceof AppError) return error
  if (isDatabaseAway(error)) return databaseUnavailable()
  const code = error instanceof Error ? (error as FastifyError).code : undefined
  switch (code) {
    case 'FST_ERR_CTP_INVALID_JSON_BODY':
    case 'FST_ERR_CTP_EMPTY_JSON_BODY':
    case 'FST_ERR_CTP_INVALID_CONTENT_LENGTH':
    case 'FST_ERR_BAD_URL':
      return malformedBody()
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return bodyTooLarge()
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
      return unsupportedMediaType()
    case 'FST_ERR_NOT_FOUND':
    case 'FST_ERR_MAX_PARAM_LENGTH':
      return notFound()
    default:
      return serverError()
  }
}

export function toReply(error: AppError, locale: Locale): ErrorReply {
  const reply: ErrorReply = { status: false, code: error.code, message: error.words[locale] }
  if (error.errors !== undefined) {
    reply.errors = Object.fromEntries(
      Object.entries(error.errors).map(([field, texts]) => [field, texts.map((words) => words[locale])]),
    )
  }
  if (error.data !== undefined) reply.data = error.data
  return reply
}
