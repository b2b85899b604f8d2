import type { FastifyInstance } from 'fastify'
import { KIBIBYTE } from '#contract/time.ts'
import type { Context } from '#server/house/context.ts'
import { takeEvent } from './take-event.ts'

const EVENT_LIMIT_BYTES = 64 * KIBIBYTE
/** The request headers that are stored: those that may hold a signature, but no cookies or bearer tokens of ours. */
const KEPT_HEADERS = /^(?:content-type|user-agent|.*(?:sig|signature|digest|timestamp))$/
const HEADER_LENGTH = 1_000

const EVENT_PATHS = ['/gateways/:code/events', '/gateways/:code/webhook']

/** Registers the webhook routes, which take every body as bytes, because signatures cover bytes. */
export async function registerGatewayEvents(app: FastifyInstance, ctx: Context): Promise<void> {
  await app.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    const raw = { parseAs: 'buffer', bodyLimit: EVENT_LIMIT_BYTES } as const
    scope.addContentTypeParser('*', raw, (_request, body, done) => done(null, body))
    type Event = { Params: { code: string }; Body: Buffer | undefined }
    for (const path of EVENT_PATHS) {
      scope.post<Event>(path, { bodyLimit: EVENT_LIMIT_BYTES }, async (request, reply) => {
        await takeEvent(ctx, {
          code: request.params.code,
          headers: keptHeaders(request.headers),
          body: request.body ?? Buffer.alloc(0),
          address: ctx.clients.addressOf(request.raw),
          network: ctx.clients.networkOf(request.raw),
          receivedAt: ctx.clock.now(),
        })
        return reply.header('cache-control', 'no-store').send({ status: true })
      })
    }
  })
}

function keptHeaders(headers: Record<string, unknown>): Record<string, string> {
  const kept = Object.entries(headers).flatMap(([name, value]) =>
    KEPT_HEADERS.test(name) && typeof value === 'string' ? [[name, value.slice(0, HEADER_LENGTH)]] : [],
  )
  return Object.fromEntries(kept)
}
