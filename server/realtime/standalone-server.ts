import { createServer, type RequestListener } from 'node:http'
import { createServer as createTlsServer, Server as TlsServer } from 'node:https'
import { SECOND } from '#contract/time.ts'
import type { TlsTexts } from '#server/config/tls-files.ts'
import type { HttpServer } from '#server/realtime/socket-server.ts'

/** A client has so long for its TLS handshake, its request line and its headers. */
const HANDSHAKE_MS = 10 * SECOND
const MAX_HEADER_BYTES = 8 * 1024

/** The HTTP server of the live port: it only exists to be upgraded. */
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
  // A connection that never sends a request; ws lifts the time-out when it takes over.
  server.setTimeout(HANDSHAKE_MS)
  return server
}

/** New connections get the new certificate; those that are open go on. */
export function renewCertificate(server: HttpServer, tls: TlsTexts): void {
  if (server instanceof TlsServer) server.setSecureContext(tls)
}

/** Starts listening; rejects when the port is taken. Resolves to the port, which matters when 0 was asked for. */
export async function listenOn(server: HttpServer, { host, port }: { host: string; port: number }): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  server.once('error', reject)
  server.listen({ host, port }, resolve)
  await promise
  server.off('error', reject)
  const address = server.address()
  return typeof address === 'object' && address !== null ? address.port : port
}

/** Stops listening at once; resolves when what was left of plain HTTP is closed. */
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
