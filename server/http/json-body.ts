import type { FastifyInstance } from 'fastify'

/**
 * JSON bodies, less that nothing at all is no fault: many programs name the type on every request, also where a call has
 * nothing to be told. Keys that would reach an object's prototype are refused, as by Fastify itself.
 */
export function registerJsonBodies(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser('error', 'error')
  app.removeContentTypeParser('application/json')
  app.addContentTypeParser<string>('application/json', { parseAs: 'string' }, (request, body, done) =>
    body === '' ? done(null, undefined) : parse(request, body, done),
  )
}
