import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { Server as NetServer, type Socket } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'

export type Drain = {
  begin(): void
  /** Waits at most `limitMs` for all replies, then cuts connections. Returns the number of unfinished replies. */
  finish(limitMs: number): Promise<number>
}

/**
 * The time within which a request on the wire arrives, even on a connection that is not accepted yet. Node's
 * `server.close()` would reset the connection, because it closes idle ones at once.
 */
const QUIET_MS = 250

/** The latest reply of a connection; once it is sent, all are. A listener for each reply would cost too much. */
type Connection = { latest: ServerResponse | null; bytesRead: number | null }

export function followConnections(server: Server): Drain {
  const open = new Map<Socket, Connection>()
  let begun = false
  server.on('connection', (socket: Socket) => {
    open.set(socket, { latest: null, bytesRead: null })
    socket.once('close', () => open.delete(socket))
  })
  server.prependListener('request', ({ socket }: IncomingMessage, reply: ServerResponse) => {
    if (begun) reply.shouldKeepAlive = false
    const connection = open.get(socket)
    if (connection !== undefined) connection.latest = reply
  })
  // Live sockets are left out, because the realtime protocol closes them.
  server.prependListener('upgrade', ({ socket }: IncomingMessage) => {
    open.delete(socket)
  })
  const begin = () => {
    begun = true
    for (const { latest } of open.values()) if (latest !== null) latest.shouldKeepAlive = false
  }
  const finish = async (limitMs: number): Promise<number> => {
    begin()
    const giveUpAt = performance.now() + limitMs
    for (const [socket, connection] of open) connection.bytesRead = socket.bytesRead
    await wait(QUIET_MS)
    // `close` of net.Server only stops the listener; the HTTP server's own would also close connections.
    if (server.listening) NetServer.prototype.close.call(server)
    for (;;) {
      for (const [socket, connection] of open) closeWhenQuiet(socket, connection)
      if (open.size === 0 || performance.now() > giveUpAt) break
      await wait(QUIET_MS)
    }
    const cutOff = [...open.values()].filter(isAnswering).length
    for (const socket of open.keys()) socket.destroy()
    return cutOff
  }
  return { begin, finish }
}

function isAnswering({ latest }: Connection): boolean {
  return latest !== null && !latest.writableFinished && !latest.destroyed
}

function closeWhenQuiet(socket: Socket, connection: Connection): void {
  const isQuiet = !isAnswering(connection) && socket.bytesRead === connection.bytesRead
  connection.bytesRead = socket.bytesRead
  if (!isQuiet) return
  // A browser may never close its half of the connection, so the second attempt destroys the socket.
  if (socket.writableEnded) socket.destroy()
  else socket.end()
}
