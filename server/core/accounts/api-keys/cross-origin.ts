import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { SANDBOX_HEADER } from '#contract/formats/play-money.ts'
import { HOUR, SECOND } from '#contract/time.ts'
import { REQUEST_ID_HEADER } from '#server/house/http/error-reply.ts'
import { shownKey } from '#server/house/http/shown-key.ts'
import { API_KEY_PATTERN } from './api-key.ts'

const OWN_API = '/api/v1/'
const PREFLIGHT_SECONDS = (2 * HOUR) / SECOND
/** The CORS headers let any web page read a reply. Browsers send no cookies, because credentials are not allowed. */
export const READABLE = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': `retry-after, ratelimit-limit, ratelimit-remaining, ratelimit-reset, ${SANDBOX_HEADER}, ${REQUEST_ID_HEADER}`,
}
const PREFLIGHT = {
  'access-control-allow-origin': '*',
  'access-control-allow-methods': 'GET, POST, PATCH, DELETE',
  'access-control-allow-headers': 'authorization, content-type, idempotency-key, locale, x-api-key, x-apikey, zone',
  'access-control-max-age': String(PREFLIGHT_SECONDS),
}

/** Lets other websites read replies of `/api/v1` to API keys, but not to tokens, cookies or anonymous callers. */
export function openOwnApi(app: FastifyInstance): void {
  app.addHook('onRequest', (request, reply, done) => {
    if (request.url.startsWith(OWN_API) && API_KEY_PATTERN.test(shownKey(request.headers) ?? '')) {
      makeReadable(request, reply)
    }
    done()
  })
  // A CORS preflight carries no API key, so every preflight gets the same answer.
  app.options(`${OWN_API}*`, (_request, reply) => answerPreflight(reply))
}

/** Adds CORS headers unless the request has a cookie, because its reply may then contain personal data. */
export function makeReadable(request: FastifyRequest, reply: FastifyReply): void {
  if (request.headers.cookie === undefined) reply.headers(READABLE)
}

export function answerPreflight(reply: FastifyReply): FastifyReply {
  return reply.code(204).headers(PREFLIGHT).send()
}
