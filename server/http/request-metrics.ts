import type { FastifyInstance } from 'fastify'
import type { Context } from '#server/context.ts'

/** Times every answer by route and status class. Routes are patterns, so that ids and keys never become labels. */
export function registerRequestMetrics(app: FastifyInstance, ctx: Context): void {
  app.addHook('onResponse', async (request, reply) => {
    const status = `${Math.floor(reply.statusCode / 100)}xx`
    const route = request.routeOptions.url ?? 'none'
    ctx.metrics.requests.observe({ route, status }, reply.elapsedTime / 1000)
  })
}
