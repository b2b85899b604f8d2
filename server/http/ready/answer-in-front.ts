import type { IncomingMessage, ServerResponse } from 'node:http'
import type { FastifyInstance } from 'fastify'
import type { ReadyAnswer } from './answer.ts'

/**
 * Asks `find` before Fastify does anything: what a visitor was answered goes out again as it was, without routing, hooks
 * and cookies, which would cost more than the page. Not while the app is closing: then Fastify ends the connections.
 */
export function answerInFront(app: FastifyInstance, find: (request: IncomingMessage) => ReadyAnswer | undefined): void {
  const { server } = app
  const handlers = server.listeners('request')
  let open = true
  app.addHook('preClose', async () => {
    open = false
  })
  server.removeAllListeners('request')
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    const answer = open ? find(request) : undefined
    if (answer === undefined) {
      for (const handler of handlers) handler.call(server, request, response)
      return
    }
    response.writeHead(answer.status, answer.headers)
    response.end(answer.body)
  })
}
