import Fastify from 'fastify'
import type { Context } from '#server/house/context.ts'
import { databaseUnavailable } from '#server/house/errors/errors.ts'
import { toReply } from '#server/house/http/error-reply.ts'
import { listenOn } from '../listen.ts'

const TRY_AGAIN_SECONDS = '2'
/** A request that is never finished must not hold a connection. */
const REQUEST_LIMIT_MS = 5_000

/**
 * Serves `/healthz` on the service's port while this node is a stand-by. Every other request gets 503, so that a load
 * balancer chooses the node that serves. Dispose of the door before the service opens the port.
 */
export async function openStandByDoor({ config }: Context): Promise<AsyncDisposable> {
  const app = Fastify({ logger: false, forceCloseConnections: true, requestTimeout: REQUEST_LIMIT_MS })
  app.get('/healthz', async () => ({ status: true, ...config.release, stand_by: true }))
  const refusal = databaseUnavailable()
  app.setNotFoundHandler((_request, reply) =>
    reply.code(refusal.httpStatus).header('retry-after', TRY_AGAIN_SECONDS).send(toReply(refusal, 'en')),
  )
  // A socket that a supervisor passed would be closed with this door, so such a node leaves requests waiting instead.
  if (config.listenFd === null) {
    await listenOn('PORT', config.port, () => app.listen({ host: config.host, port: config.port }))
  }
  return { [Symbol.asyncDispose]: () => app.close() }
}
