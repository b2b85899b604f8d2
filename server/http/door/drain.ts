import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { Server as NetServer, type Socket } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'

/** How an HTTP server ends without losing what was sent to it. */
export type Drain = {
  /** Each reply from now on tells its client to open another connection. Serving goes on. */
  begin(): void
  /**
   * Takes no more connections, answers what comes on those that are open, and closes each. Resolves when all are gone:
   * one that is still answered after `limitMs` is cut off. Says how many were.
   */
  finish(limitMs: number): Promise<number>
}

/**
 * What a client has sent arrives within this time, in a connection that waits to be accepted as well. One that is closed
 * earlier is reset under its request: Node's own `server.close()` does that to all that look idle.
 */
const QUIET_MS = 250

/** `bytesRead`: at the last look; null: it has come since then, and what was sent on it may be under way. */
type Connection = { answering: Set<ServerResponse>; bytesRead: number | null }

/** Follows the connections of a server from its beginning. */
export function followConnections(server: Server): Drain {
  const open = new Map<Socket, Connection>()
  let begun = false
  server.on('connection', (socket: Socket) => {
    open.set(socket, { answering: new Set(), bytesRead: null })
    socket.once('close', () => open.delete(socket))
  })
  server.prependListener('request', ({ socket }: IncomingMessage, reply: ServerResponse) => {
    if (begun) reply.shouldKeepAlive = false
    const answering = open.get(socket)?.answering
    answering?.add(reply)
    reply.once('close', () => answering?.delete(reply))
  })
  // Live sockets say goodbye in their own protocol.
  server.prependListener('upgrade', ({ socket }: IncomingMessage) => {
    open.delete(socket)
  })
  const begin = () => {
    begun = true
    for (const { answering } of open.values()) for (const reply of answering) reply.shouldKeepAlive = false
  }
  const finish = async (limitMs: number): Promise<number> => {
    begin()
    const giveUpAt = performance.now() + limitMs
    for (const [socket, connection] of open) connection.bytesRead = socket.bytesRead
    await wait(QUIET_MS)
    // The door alone: the server's own `close` would also hang up on connections.
    if (server.listening) NetServer.prototype.close.call(server)
    for (;;) {
      for (const [socket, connection] of open) closeWhenQuiet(socket, connection)
      if (open.size === 0 || performance.now() > giveUpAt) break
      await wait(QUIET_MS)
    }
    const cutOff = [...open.values()].filter(({ answering }) => answering.size > 0).length
    for (const socket of open.keys()) socket.destroy()
    return cutOff
  }
  return { begin, finish }
}

function closeWhenQuiet(socket: Socket, connection: Connection): void {
  const isQuiet = connection.answering.size === 0 && socket.bytesRead === connection.bytesRead
  connection.bytesRead = socket.bytesRead
  if (isQuiet) socket.end()
}
