import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/** Builds PostgreSQL's refusal of a connection: a message of type `E` with a length and zero-terminated fields. */
function refusal(code: string, message: string): Buffer {
  const fields = ['SFATAL', 'VFATAL', `C${code}`, `M${message}`, ''].map((field) => `${field}\0`)
  const body = Buffer.from(fields.join(''))
  const head = Buffer.alloc(5)
  head.write('E')
  head.writeInt32BE(body.length + 4, 1)
  return Buffer.concat([head, body])
}

const REFUSALS = {
  starting: refusal('57P03', 'the database system is starting up'),
  'disk full': refusal('XX000', 'could not write init file'),
}

/**
 * How a connection is treated: passed on, refused, cut after some answered bytes, or silent once a request contains the
 * text `silentFrom`.
 */
export type Treatment = 'pass' | keyof typeof REFUSALS | { cutAfterBytes: number } | { silentFrom: string }

/** Starts a proxy in front of PostgreSQL that imitates a bad network. `treat` decides for each connection. */
export async function startPostgresProxy(connectionString: string, treat: (connection: number) => Treatment) {
  const behind = new URL(connectionString)
  const path = `${decodeURIComponent(behind.hostname)}/.s.PGSQL.${behind.port || 5432}`
  const sockets = new Set<Socket>()
  let connections = 0
  let silenced = 0
  const server = createServer((socket) => {
    connections += 1
    const treatment = treat(connections)
    keep(sockets, socket)
    if (treatment === 'starting' || treatment === 'disk full') {
      socket.once('data', () => socket.end(REFUSALS[treatment]))
      return
    }
    const inner = connect(path)
    keep(sockets, inner)
    const silentFrom = typeof treatment === 'object' && 'silentFrom' in treatment ? treatment.silentFrom : null
    let isSilent = false
    socket.on('data', (part: Buffer) => {
      if (!isSilent && silentFrom !== null && part.includes(silentFrom)) {
        isSilent = true
        silenced += 1
      }
      if (!isSilent) inner.write(part)
    })
    let left =
      typeof treatment === 'object' && 'cutAfterBytes' in treatment ? treatment.cutAfterBytes : Number.POSITIVE_INFINITY
    inner.on('data', (part) => {
      left -= part.length
      if (left < 0) socket.destroy()
      else socket.write(part)
    })
    inner.on('close', () => socket.destroy())
    socket.on('close', () => inner.destroy())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const outside = new URL(connectionString)
  outside.host = `127.0.0.1:${port}`
  return {
    connectionString: outside.href,
    connections: () => connections,
    silenced: () => silenced,
    cutAll: () => {
      for (const socket of sockets) socket.destroy()
    },
    async [Symbol.asyncDispose]() {
      server.close()
      for (const socket of sockets) socket.destroy()
      await once(server, 'close')
    },
  }
}

function keep(sockets: Set<Socket>, socket: Socket): void {
  sockets.add(socket)
  socket.on('error', () => undefined)
  socket.on('close', () => sockets.delete(socket))
}
