import { type AddressInfo, createServer as createTcpServer, type Server, type Socket } from 'node:net'
import { createServer as createTlsServer, Server as TlsServer } from 'node:tls'
import { MINUTE } from '#contract/time.ts'
import { followTlsFiles, readTlsFiles, type TlsTexts } from '#server/house/config/tls-files.ts'
import { whyFailed } from '#server/house/http/outbound/why-failed.ts'
import { startLoop } from '#server/house/jobs/loop.ts'
import type { Link, LinkOptions } from './link.ts'
import { createServerSession, type ServerSession } from './server-session.ts'
import type { ServerSettings } from './settings.ts'

export type ServerLink = Link & {
  readonly port: number
  renewCertificate(): Promise<void>
}

const MIN_TLS_VERSION = 'TLSv1.2'

export async function startServerLink(options: LinkOptions<ServerSettings>): Promise<ServerLink> {
  const { settings, code } = options
  const { log } = options.inbox.ctx
  const sessions = new Set<ServerSession>()
  const tls = await readTls(settings)
  const server = createListener(settings, tls, (socket) => {
    if (countUnbound(sessions, socket.remoteAddress) >= settings.maxUnboundPerAddress) {
      log.warn({ supplier: code, address: socket.remoteAddress }, 'an SMPP connection too many was dropped')
      socket.destroy()
      return
    }
    const session = createServerSession(options, { socket, sessions })
    sessions.add(session)
    socket.once('close', () => sessions.delete(session))
  })
  // The set holds sockets instead of sessions, because a connection in its TLS handshake has no session yet.
  const sockets = new Set<Socket>()
  server.on('connection', (socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  server.maxConnections = settings.maxConnections
  server.on('tlsClientError', (error: Error) => {
    log.debug({ supplier: code, error }, 'a TLS handshake failed')
    options.watch.failed(`a TLS handshake failed: ${whyFailed(error)}`)
  })
  const { port } = await listen(server, settings.listen)
  server.on('error', (error) => log.error({ supplier: code, error }, 'the SMPP listener failed'))
  log.info({ supplier: code, host: settings.listen.host, port }, 'listening for SMPP gateways')
  const renewCertificate = followCertificate(options, server, tls)
  const renewing = startLoop(log, { name: `certificate of ${code}`, everyMs: MINUTE, work: renewCertificate })
  const stop = async () => {
    await renewing.stop()
    await stopListening(server, { sessions, sockets })
  }
  return { port, renewCertificate, stop }
}

async function readTls({ tls }: ServerSettings): Promise<TlsTexts | undefined> {
  if (tls === undefined) return undefined
  return tls.paths === undefined ? tls.texts : readTlsFiles(tls.paths)
}

function createListener(
  { bindSeconds }: ServerSettings,
  tls: TlsTexts | undefined,
  onSocket: (socket: Socket) => void,
): Server {
  if (tls === undefined) return createTcpServer(onSocket)
  const client = tls.ca === undefined ? {} : { requestCert: true, rejectUnauthorized: true }
  const handshakeTimeout = bindSeconds * 1_000
  return createTlsServer({ ...tls, minVersion: MIN_TLS_VERSION, handshakeTimeout, ...client }, onSocket)
}

function followCertificate(
  { settings, inbox }: LinkOptions<ServerSettings>,
  server: Server,
  texts: TlsTexts | undefined,
): () => Promise<void> {
  const { tls } = settings
  if (texts === undefined || tls?.paths === undefined || !(server instanceof TlsServer)) return async () => undefined
  const apply = (renewed: TlsTexts) => server.setSecureContext({ ...renewed, minVersion: MIN_TLS_VERSION })
  return followTlsFiles({ paths: tls.paths, texts, log: inbox.ctx.log, apply })
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
