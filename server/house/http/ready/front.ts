import { createServer, type IncomingMessage, type Server, type ServerOptions, type ServerResponse } from 'node:http'
import type { FastifyInstance, FastifyServerFactory } from 'fastify'
import { SECOND } from '#contract/time.ts'
import { takeWholeAddress } from '#server/house/http/door/whole-address.ts'
import { isRealtimePath } from '#server/house/realtime/handshake.ts'
import type { ReadyAnswer } from './answer.ts'

/**
 * Finds a cached reply to a request. `taken` means that the function replies by itself, or calls `onward` if it cannot.
 */
type Find = (
  request: IncomingMessage,
  response: ServerResponse,
  onward: () => void,
) => ReadyAnswer | 'taken' | undefined

const fronts = new WeakMap<object, Find[]>()

const CHECK_INTERVAL_MS = SECOND

type ServerTimes = { requestTimeoutMs: number; keepAliveMs: number }

/**
 * Creates the HTTP server for Fastify, with its time-outs. Fastify sets time-outs only on servers that it created
 * itself.
 */
export function serverWithFront(times?: ServerTimes): { serverFactory: FastifyServerFactory } {
  return {
    serverFactory: (handler) => {
      const finds: Find[] = []
      const server: Server = createServer({ ...optionsOf(times), shouldUpgradeCallback }, (request, response) => {
        takeWholeAddress(request)
        // Node drops the data that a client sends after a request with an Upgrade header, so the connection must close
        // after the reply.
        if (request.headers.upgrade !== undefined) response.shouldKeepAlive = false
        const onward = () => handler(request, response)
        for (const find of finds) {
          const answer = find(request, response, onward)
          if (answer === undefined) continue
          if (answer === 'taken') return
          response.writeHead(answer.status, answer.headers)
          response.end(answer.body)
          return
        }
        onward()
      })
      fronts.set(server, finds)
      return server
    },
  }
}

/**
 * Upgrades only to our WebSockets. Other upgrades are ignored, as RFC 9110 7.8 allows, and the request is answered in
 * HTTP/1.1.
 */
function shouldUpgradeCallback(request: IncomingMessage): boolean {
  takeWholeAddress(request)
  return request.headers.upgrade?.toLowerCase() === 'websocket' && isRealtimePath(request.url)
}

/**
 * Returns the server's time-outs. Node checks for late requests at an interval, and applies `requestTimeout` only after
 * the longer of its two limits, so both limits are equal.
 */
function optionsOf(times: ServerTimes | undefined): ServerOptions {
  if (times === undefined) return {}
  return {
    requestTimeout: times.requestTimeoutMs,
    headersTimeout: times.requestTimeoutMs,
    keepAliveTimeout: times.keepAliveMs,
    connectionsCheckingInterval: CHECK_INTERVAL_MS,
  }
}

/**
 * Registers a function that answers from a cache, before Fastify. Routing, hooks and cookies would cost more than the
 * cached page.
 */
export function answerInFront(app: FastifyInstance, find: Find): void {
  const finds = fronts.get(app.server)
  if (finds === undefined) throw new Error('the app was made without serverWithFront')
  finds.unshift(find)
  app.addHook('preClose', async () => {
    finds.length = 0
  })
}
