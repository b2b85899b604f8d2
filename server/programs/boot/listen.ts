import { createServer } from 'node:net'
import type { Config } from '#server/house/config/config.ts'
import { StartRefused } from '#server/house/start-refused.ts'

type Ports = Pick<Config, 'host' | 'port' | 'listenFd' | 'metricsHost' | 'metricsPort'> & { realtime: { port: number } }

/** Tries to open the ports before a database is started or migrated. Throws StartRefused if a port is taken. */
export async function refuseTakenPorts({ host, port, listenFd, realtime, metricsHost, metricsPort }: Ports) {
  if (listenFd === null) await tryPort('PORT', port, host)
  await tryPort('REALTIME_PORT', realtime.port, host)
  if (metricsPort !== null) await tryPort('METRICS_PORT', metricsPort, metricsHost)
}

async function tryPort(variable: string, port: number, host: string): Promise<void> {
  await using server = createServer()
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  server.once('error', reject).listen({ host, port }, resolve)
  await listenOn(variable, port, () => promise)
}

/**
 * Opens a port. If the port is taken or not allowed, throws StartRefused, whose message names the variable to change.
 */
export async function listenOn<T>(variable: string, port: number, open: () => Promise<T>): Promise<T> {
  try {
    return await open()
  } catch (error) {
    const errno = error instanceof Error ? (error as NodeJS.ErrnoException).code : undefined
    if (errno === 'EADDRINUSE') {
      throw new StartRefused(`port ${port} is taken: stop what uses it, or set ${variable} to another one`)
    }
    if (errno === 'EACCES')
      throw new StartRefused(`port ${port} needs rights this user lacks: set ${variable} above 1023`)
    if (errno === 'EADDRNOTAVAIL')
      throw new StartRefused(
        `${variable === 'METRICS_PORT' ? 'METRICS_HOST' : 'HOST'} is not an address of this machine`,
      )
    throw error
  }
}
