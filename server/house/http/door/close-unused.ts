import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'

/**
 * Closes connections without a request at shutdown. Node counts such connections as pending, which would delay the
 * shutdown by the time-out.
 */
export function closeUnusedConnections(app: FastifyInstance): void {
  const open = new Set<Socket>()
  app.server.on('connection', (socket) => {
    open.add(socket)
    socket.once('close', () => open.delete(socket))
  })
  app.addHook('preClose', (done) => {
    for (const socket of open) if (socket.bytesRead === 0) socket.destroy()
    done()
  })
}
