import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { FastifyInstance, FastifyServerFactory } from 'fastify'
import type { ReadyAnswer } from './answer.ts'

type Find = (request: IncomingMessage) => ReadyAnswer | undefined

const fronts = new WeakMap<object, Find[]>()

type ServerTimes = { requestTimeoutMs: number; keepAliveMs: number }

/** Fastify sets time-outs only on a server it made, so they are set here. */
export function serverWithFront(times?: ServerTimes): { serverFactory: FastifyServerFactory } {
  return {
    serverFactory: (handler) => {
      const finds: Find[] = []
      const server: Server = createServer((request, response) => {
        for (const find of finds) {
          const answer = find(request)
          if (answer === undefined) continue
          response.writeHead(answer.status, answer.headers)
          response.end(answer.body)
          return
        }
        handler(request, response)
      })
      if (times !== undefined) {
        server.requestTimeout = times.requestTimeoutMs
        server.keepAliveTimeout = times.keepAliveMs
      }
      fronts.set(server, finds)
      return server
    },
  }
}

/** A cached reply skips routing, hooks and cookies, which would cost more than the page. */
export function answerInFront(app: FastifyInstance, find: Find): void {
  const finds = fronts.get(app.server)
  if (finds === undefined) throw new Error('the app was made without serverWithFront')
  finds.unshift(find)
  app.addHook('preClose', async () => {
    finds.length = 0
  })
}
