import { type AddressInfo, createServer as createTcpServer, type Server, type Socket } from 'node:net'
import { createServer as createTlsServer } from 'node:tls'
import type { Link, LinkOptions } from './link.ts'
import { createServerSession, type ServerSession } from './server-session.ts'
import type { ServerSettings } from './settings.ts'

export type ServerLink = Link & { readonly port: number }

/** Listens as an SMSC for gateways that hand us messages. Resolves once it listens; rejects when it cannot. */
export async function startServerLink(options: LinkOptions<ServerSettings>): Promise<ServerLink> {
  const { settings, code } = options
  const { log } = options.inbox.ctx
  const sessions = new Set<ServerSession>()
  const server = createListener(settings, (socket) => {
    if (countUnbound(sessions, socket.remoteAddress) >= settings.maxUnboundPerAddress) {
      log.warn({ supplier: code, address: socket.remoteAddress }, 'an SMPP connection too many was dropped')
      socket.destroy()
      return
    }
    const session = createServerSession(options, { socket, sessions })
    sessions.add(session)
    void session.closed.then(() => sessions.delete(session))
  })
  // Raw connections: with TLS, those still in their handshake are none of the sessions.
  const sockets = new Set<Socket>()
  server.on('connection', (socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  server.maxConnections = settings.maxConnections
  server.on('tlsClientError', (error: Error) => log.debug({ supplier: code, error }, 'a TLS handshake failed'))
  const { port } = await listen(server, settings.listen)
  server.on('error', (error) => log.error({ supplier: code, error }, 'the SMPP listener failed'))
  log.info({ supplier: code, host: settings.listen.host, port }, 'listening for SMPP gateways')
  return { port, stop: () => stopListening(server, { sessions, sockets }) }
}

function createListener({ tls, bindSeconds }: ServerSettings, onSocket: (socket: Socket) => void): Server {
  if (tls === undefined) return createTcpServer(onSocket)
  const { cert, key, clientCa } = tls
  const client = clientCa === undefined ? {} : { ca: clientCa, requestCert: true, rejectUnauthorized: true }
  const handshakeTimeout = bindSeconds * 1_000
  return createTlsServer({ cert, key, minVersion: 'TLSv1.2', handshakeTimeout, ...client }, onSocket)
}

function listen(server: Server, { host, port }: ServerSettings['listen']): Promise<AddressInfo> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen({ host, port }, () => {
      server.off('error', reject)
      const address = server.address()
      if (address === null || typeof address === 'string') return reject(new Error('an SMPP listener has no port'))
      resolve(address)
    })
  })
}

function countUnbound(sessions: ReadonlySet<ServerSession>, address: string | undefined): number {
  let count = 0
  for (const session of sessions) if (session.systemId === null && session.address === address) count += 1
  return count
}

async function stopListening(
  server: Server,
  open: { sessions: ReadonlySet<ServerSession>; sockets: ReadonlySet<Socket> },
): Promise<void> {
  const closed = new Promise<void>((resolve) => {
    server.close(() => resolve())
  })
  await Promise.all([...open.sessions].map((session) => session.end()))
  for (const socket of open.sockets) socket.destroy()
  await closed
}
