import type { FastifyInstance } from 'fastify'
import type { Context } from '#server/house/context.ts'

/** Measures requests by route pattern, never by id or API key. A listener costs less than Fastify's onResponse hook. */
export function registerRequestMetrics(app: FastifyInstance, ctx: Context): void {
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
