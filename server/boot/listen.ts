import { StartRefused } from '#server/start-refused.ts'

/** Throws StartRefused, naming the variable to change. */
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
