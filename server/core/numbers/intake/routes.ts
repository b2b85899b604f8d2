import type { FastifyInstance } from 'fastify'
import { KIBIBYTE } from '#contract/time.ts'
import type { Context } from '#server/house/context.ts'
import { takeRequest } from './take-request.ts'

/** The maximum size of a request. A message of ten parts takes a hundredth of this size. */
const REQUEST_LIMIT_BYTES = 64 * KIBIBYTE
const HEADER_LENGTH = 4_000

export const INTAKE_PATH = '/intake/:code/:key'

/** Registers the routes to which suppliers send SMS. Bodies are read as bytes, because signatures cover bytes. */
export async function registerIntake(app: FastifyInstance, ctx: Context): Promise<void> {
  await app.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    const raw = { parseAs: 'buffer', bodyLimit: REQUEST_LIMIT_BYTES } as const
    scope.addContentTypeParser('*', raw, (_request, body, done) => done(null, body))
    type Sent = { Params: { code: string; key: string }; Body: Buffer | undefined }
    scope.route<Sent>({
      method: ['GET', 'POST'],
      url: INTAKE_PATH,
      exposeHeadRoute: false,
      bodyLimit: REQUEST_LIMIT_BYTES,
      handler: async (request, reply) => {
        const {
          type,
          text,
          status = 200,
        } = await takeRequest(ctx, {
          ...request.params,
          method: request.method,
          url: `${ctx.config.publicUrl.origin}${request.raw.url ?? ''}`,
          headers: textHeaders(request.headers),
          body: request.body ?? Buffer.alloc(0),
          address: ctx.clients.addressOf(request.raw),
          network: ctx.clients.networkOf(request.raw),
          receivedAt: ctx.clock.now(),
        })
        return reply.code(status).headers({ 'cache-control': 'no-store', 'content-type': type }).send(text)
      },
    })
  })
}

function textHeaders(headers: Record<string, unknown>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      typeof value === 'string' && value.length <= HEADER_LENGTH ? [[name, value]] : [],
    ),
  )
}
