import type { FastifyInstance } from 'fastify'
import type { Context } from '#server/context.ts'

/**
 * Times every answer by route and status class. Routes are patterns, so that ids and keys never become labels. It listens
 * to the reply itself, which costs less than Fastify's onResponse hook.
 */
export function registerRequestMetrics(app: FastifyInstance, ctx: Context): void {
  // prom-client makes a label's key anew for each observation; there are only as many as routes and classes.
  const series = new Map<string, ReturnType<typeof ctx.metrics.requests.labels>>()
  app.addHook('onRequest', (request, reply, done) => {
    const startedAt = performance.now()
    reply.raw.once('close', () => {
      const status = `${Math.floor(reply.raw.statusCode / 100)}xx`
      const route = request.routeOptions.url ?? 'none'
      const key = `${status} ${route}`
      const one = series.get(key) ?? ctx.metrics.requests.labels({ route, status })
      series.set(key, one)
      one.observe((performance.now() - startedAt) / 1000)
    })
    done()
  })
}
