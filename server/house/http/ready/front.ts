import { createServer, type IncomingMessage, type Server, type ServerOptions, type ServerResponse } from 'node:http'
import type { FastifyInstance, FastifyServerFactory } from 'fastify'
import { SECOND } from '#contract/time.ts'
import { takeWholeAddress } from '#server/house/http/door/whole-address.ts'
import { isRealtimePath } from '#server/house/realtime/handshake.ts'
import type { ReadyAnswer } from './answer.ts'

/**
 * Finds a cached reply. `taken` means that the function sends the reply itself, or calls `onward` if it cannot. After a
 * promise of undefined no other function is asked.
 */
type Find = (request: IncomingMessage, response: ServerResponse, onward: () => void) => Found | Promise<Found>
type Found = ReadyAnswer | 'taken' | undefined

const fronts = new WeakMap<object, Find[]>()

const CHECK_INTERVAL_MS = SECOND

type ServerTimes = { requestTimeoutMs: number; keepAliveMs: number }

/** Creates the HTTP server for Fastify with time-outs, which Fastify sets only on servers that it created itself. */
export function serverWithFront(times?: ServerTimes): { serverFactory: FastifyServerFactory } {
  return {
    serverFactory: (handler) => {
      const finds: Find[] = []
      const server: Server = createServer({ ...optionsOf(times), shouldUpgradeCallback }, (request, response) => {
        takeWholeAddress(request)
        // Node drops data that follows a request with an Upgrade header, so the connection closes after the reply.
        if (request.headers.upgrade !== undefined) response.shouldKeepAlive = false
        const onward = () => handler(request, response)
        const send = (found: Found) => {
          if (found === undefined) return onward()
          if (found === 'taken') return
          response.writeHead(found.status, found.headers)
          response.end(found.body)
        }
        for (const find of finds) {
          const found = find(request, response, onward)
          if (found instanceof Promise) {
            found.then(send, onward)
            return
          }
          if (found !== undefined) return send(found)
        }
        onward()
      })
      fronts.set(server, finds)
      return server
    },
  }
}

/** Upgrades only to our WebSockets. Requests with other upgrades are answered in HTTP/1.1 (RFC 9110 7.8). */
function shouldUpgradeCallback(request: IncomingMessage): boolean {
  takeWholeAddress(request)
  return request.headers.upgrade?.toLowerCase() === 'websocket' && isRealtimePath(request.url)
}

/** Returns the server's time-outs. Node waits for the longer of its two limits for a request, so both are equal. */
function optionsOf(times: ServerTimes | undefined): ServerOptions {
  if (times === undefined) return {}
  return {
    requestTimeout: times.requestTimeoutMs,
    headersTimeout: times.requestTimeoutMs,
    keepAliveTimeout: times.keepAliveMs,
    connectionsCheckingInterval: CHECK_INTERVAL_MS,
  }
}

/** Registers a function that answers from a cache before Fastify, whose routing costs more than a cached page. */
export function answerInFront(app: FastifyInstance, find: Find): void {
  const finds = fronts.get(app.server)
  if (finds === undefined) throw new Error('the app was made without serverWithFront')
  finds.unshift(find)
  app.addHook('preClose', async () => {
    finds.length = 0
  })
}
