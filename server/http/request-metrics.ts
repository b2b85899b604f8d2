import type { FastifyInstance } from 'fastify'
import type { Context } from '#server/context.ts'

/** Times every answer by route and status class. Routes are patterns, so that ids and keys never become labels. */
export function registerRequestMetrics(app: FastifyInstance, ctx: Context): void {
  // prom-client makes a label's key anew for each observation; there are only as many as routes and classes.
  const series = new Map<string, ReturnType<typeof ctx.metrics.requests.labels>>()
  app.addHook('onResponse', (request, reply, done) => {
    const status = `${Math.floor(reply.statusCode / 100)}xx`
    const route = request.routeOptions.url ?? 'none'
    const key = `${status} ${route}`
    const one = series.get(key) ?? ctx.metrics.requests.labels({ route, status })
    series.set(key, one)
    one.observe(reply.elapsedTime / 1000)
    done()
  })
}
