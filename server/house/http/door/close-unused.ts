import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'

/** Closes connections without a request. Node would count them as pending and delay the shutdown. */
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
