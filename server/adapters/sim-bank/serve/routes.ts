import type { FastifyInstance, FastifyReply } from 'fastify'
import { KIBIBYTE } from '#contract/time.ts'
import { writeExact } from '#server/adapters/sim-bank/wire/exact-json.ts'
import { unpack } from '#server/adapters/sim-bank/wire/packed.ts'
import type { Reply } from '#server/adapters/sim-bank/wire/words.ts'
import type { Context } from '#server/house/context.ts'
import { noteRefusedCall } from '#server/house/http/door/refusals.ts'
import { refuseInMaintenance } from '#server/house/http/door/refuse-in-maintenance.ts'
import { sendPacked } from '#server/house/http/door/send-packed.ts'
import { REQUEST_ID_HEADER, toAppError } from '#server/house/http/error-reply.ts'
import { underId } from '#server/house/trace.ts'
import { takeCall } from './take-call.ts'

/** The maximum size of a body, packed and unpacked. A request with 100 prefixes needs a tenth of it. */
const BODY_LIMIT_BYTES = 16 * KIBIBYTE

export const AGENT_PATH = '/agent/:code'

/** Serves the calls of platforms that buy our numbers. Bodies and errors have the common supplier protocol's form. */
export async function registerAgent(app: FastifyInstance, ctx: Context): Promise<void> {
  await app.register(async (scope) => {
    scope.addHook('onRequest', refuseInMaintenance(ctx))
    scope.removeAllContentTypeParsers()
    const raw = { parseAs: 'buffer', bodyLimit: BODY_LIMIT_BYTES } as const
    scope.addContentTypeParser('*', raw, (_request, body, done) => done(null, body))
    scope.setErrorHandler((error, request, reply) => {
      const known = toAppError(error)
      if (known.code === 'SERVER_ERROR') {
        ctx.log.error({ error, route: AGENT_PATH, requestId: request.id }, 'a request failed')
      }
      noteRefusedCall(ctx, known, { network: ctx.clients.networkOf(request.raw), route: AGENT_PATH })
      if (known.retryAfterSeconds !== undefined) reply.header('retry-after', known.retryAfterSeconds)
      return send(reply.code(known.httpStatus), { status: 'ERROR', error: known.code }, undefined)
    })
    scope.post<{ Params: { code: string }; Body: Buffer | undefined }>(AGENT_PATH, async (request, reply) => {
      const encoding = request.headers['content-encoding']
      const call = {
        code: request.params.code,
        text: readText(request.body ?? Buffer.alloc(0), encoding),
        address: ctx.clients.addressOf(request.raw),
        network: ctx.clients.networkOf(request.raw),
      }
      const { httpStatus, said } = await underId(request.id, () => takeCall(ctx, call))
      return send(
        reply.code(httpStatus).header(REQUEST_ID_HEADER, request.id),
        said,
        request.headers['accept-encoding'],
      )
    })
  })
}

/** Unpacks a body. Damaged gzip is treated as invalid JSON. */
function readText(body: Buffer, encoding: string | undefined): string {
  try {
    return unpack(body, { encoding, mostBytes: BODY_LIMIT_BYTES })
  } catch {
    return ''
  }
}

/** Platforms support gzip but not brotli. */
function send(reply: FastifyReply, said: Reply, acceptEncoding: string | undefined): Promise<FastifyReply> {
  const encoding = acceptEncoding?.includes('gzip') === true ? 'gzip' : undefined
  return sendPacked(reply.header('cache-control', 'no-store'), writeExact(said), encoding)
}
