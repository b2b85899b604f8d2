import type { FastifyInstance } from 'fastify'

/** HTML forms and stock Pusher clients send these. A repeated field keeps its last value. */
export function registerFormBodies(app: FastifyInstance): void {
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string' },
    async (_request: unknown, body: string) => Object.fromEntries(new URLSearchParams(body)),
  )
}
