import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { FastifyInstance, FastifyServerFactory } from 'fastify'
import type { ReadyAnswer } from './answer.ts'

type Find = (request: IncomingMessage) => ReadyAnswer | undefined

/** Who is asked before Fastify, by the server of the app; those who came last are asked first. */
const fronts = new WeakMap<object, Find[]>()

type ServerTimes = { requestTimeoutMs: number; keepAliveMs: number }

/** Fastify's `serverFactory` of an app that answers in front. Fastify sets its own times on no server but its own. */
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

/**
 * Asks `find` before Fastify does anything: what a visitor was answered goes out again as it was, without routing, hooks
 * and cookies, which would cost more than the page. Not while the app is closing: then Fastify ends the connections.
 */
export function answerInFront(app: FastifyInstance, find: Find): void {
  const finds = fronts.get(app.server)
  if (finds === undefined) throw new Error('the app was made without serverWithFront')
  finds.unshift(find)
  app.addHook('preClose', async () => {
    finds.length = 0
  })
}
