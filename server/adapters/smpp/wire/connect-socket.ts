import { connect as connectTcp, isIP, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import type { ClientSettings } from '#server/adapters/smpp/settings.ts'

export type Endpoint = ClientSettings['hosts'][number]

export function connectSocket(
  { host, port }: Endpoint,
  options: { tls: ClientSettings['tls']; timeoutMs: number; signal: AbortSignal },
): Promise<Socket> {
  const { tls, timeoutMs } = options
  const signal = AbortSignal.any([options.signal, AbortSignal.timeout(timeoutMs)])
  return new Promise((resolve, reject) => {
    const socket = tls === undefined ? connectTcp({ host, port }) : connectTls(tlsOptions({ host, port }, tls))
    const fail = (error: Error) => {
      signal.removeEventListener('abort', abort)
      socket.destroy()
      reject(error)
    }
    const abort = () => fail(new Error(options.signal.aborted ? 'stopped' : `no connection within ${timeoutMs} ms`))
    signal.addEventListener('abort', abort, { once: true })
    socket.once('error', fail)
    socket.once(tls === undefined ? 'connect' : 'secureConnect', () => {
      signal.removeEventListener('abort', abort)
      socket.off('error', fail)
      resolve(socket)
    })
    if (signal.aborted) abort()
  })
}

function tlsOptions({ host, port }: Endpoint, { ca, cert, key, serverName }: NonNullable<ClientSettings['tls']>) {
  const name = serverName ?? host
  return {
    host,
    port,
    minVersion: 'TLSv1.2' as const,
    rejectUnauthorized: true,
    // SNI takes no IP addresses, but the certificate is still checked against the address.
    ...(isIP(name) === 0 && { servername: name }),
    ...(ca !== undefined && { ca }),
    ...(cert !== undefined && { cert }),
    ...(key !== undefined && { key }),
  }
}
