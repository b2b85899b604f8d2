import type { FastifyInstance } from 'fastify'
import type { Context } from '#server/context.ts'

/**
 * Times every answer by route and status class. Routes are patterns, so that ids and keys never become labels. It listens
 * to the reply itself, which costs less than Fastify's onResponse hook.
 */
export function registerRequestMetrics(app: FastifyInstance, ctx: Context): void {
  const count = countRequests(ctx)
  app.addHook('onRequest', (request, reply, done) => {
    const startedAt = performance.now()
    reply.raw.once('close', () => {
      const route = request.routeOptions.url ?? 'none'
      count({ route, httpStatus: reply.raw.statusCode, seconds: (performance.now() - startedAt) / 1000 })
    })
    done()
  })
}

/** Returns a function that counts one answer. */
export function countRequests(ctx: Context): (answer: { route: string; httpStatus: number; seconds: number }) => void {
  // prom-client makes a label's key anew for each observation; there are only as many as routes and classes.
  const series = new Map<string, ReturnType<typeof ctx.metrics.requests.labels>>()
  return ({ route, httpStatus, seconds }) => {
    const status = `${Math.floor(httpStatus / 100)}xx`
    const key = `${status} ${route}`
    const one = series.get(key) ?? ctx.metrics.requests.labels({ route, status })
    series.set(key, one)
    one.observe(seconds)
  }
}
