import { createServer, type RequestListener } from 'node:http'
import { createServer as createTlsServer, Server as TlsServer } from 'node:https'
import { SECOND } from '#contract/time.ts'
import type { TlsTexts } from '#server/house/config/tls-files.ts'
import type { HttpServer } from '#server/house/realtime/socket-server.ts'

const HANDSHAKE_MS = 10 * SECOND
const MAX_HEADER_BYTES = 8 * 1024

export function standaloneServer(tls: TlsTexts | undefined): HttpServer {
  const http = {
    maxHeaderSize: MAX_HEADER_BYTES,
    headersTimeout: HANDSHAKE_MS,
    requestTimeout: HANDSHAKE_MS,
    connectionsCheckingInterval: HANDSHAKE_MS,
    keepAliveTimeout: SECOND,
  }
  const server =
    tls === undefined
      ? createServer(http, upgradeRequired)
      : createTlsServer({ ...http, ...tls, handshakeTimeout: HANDSHAKE_MS }, upgradeRequired)
  // The time-out covers connections that never send a request. ws removes the time-out on upgrade.
  server.setTimeout(HANDSHAKE_MS)
  return server
}

/** Replaces the certificate for new connections. Open connections keep the previous certificate. */
export function renewCertificate(server: HttpServer, tls: TlsTexts): void {
  if (server instanceof TlsServer) server.setSecureContext(tls)
}

export async function listenOn(server: HttpServer, { host, port }: { host: string; port: number }): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  server.once('error', reject)
  server.listen({ host, port }, resolve)
  await promise
  server.off('error', reject)
  const address = server.address()
  return typeof address === 'object' && address !== null ? address.port : port
}

export async function closeServer(server: HttpServer): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  server.close(() => resolve())
  server.closeAllConnections()
  await promise
}

const upgradeRequired: RequestListener = (_request, reply) => {
  reply.writeHead(426, { 'Content-Type': 'text/plain', Connection: 'Upgrade', Upgrade: 'websocket' })
  reply.end('This port speaks the Pusher protocol over WebSocket: /app/{key}?protocol=7\n')
}
