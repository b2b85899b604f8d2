import { createServer, connect as dial, type Socket } from 'node:net'
import pg from 'pg'

/** A proxy between a program and PostgreSQL that cuts the connection at a chosen statement. */
export type CuttingProxy = AsyncDisposable & {
  connectionString: string
  heard: string[]
  /** Cuts the next connection that sends this statement, before or after PostgreSQL handles it, and calls `done`. */
  cutAt(words: string, when: 'before' | 'after', done: () => void): void
}

type Cut = { words: string; when: 'before' | 'after'; done: () => void }

/** The message format of PostgreSQL: https://www.postgresql.org/docs/current/protocol-message-formats.html */
const HEADER_BYTES = 5
const READY_FOR_QUERY = Buffer.from([0x5a, 0, 0, 0, 5])

export async function startCuttingProxy(databaseUrl: string): Promise<CuttingProxy> {
  const heard: string[] = []
  const sockets = new Set<Socket>()
  let planned: Cut | null = null
  const { host, port } = new pg.Client({ connectionString: databaseUrl })
  const upstreamOf = () => (host.startsWith('/') ? dial(`${host}/.s.PGSQL.${port}`) : dial(port, host))
  const server = createServer((client) => {
    const upstream = upstreamOf()
    const both = [client, upstream]
    const cut = () => {
      for (const socket of both) socket.destroy()
    }
    for (const socket of both) {
      sockets.add(socket)
      socket.once('close', () => {
        sockets.delete(socket)
        cut()
      })
      socket.on('error', cut)
    }
    let waits: Cut | null = null
    const read = readStatements()
    client.on('data', (bytes: Buffer) => {
      const words = read(bytes)
      heard.push(...words)
      const now = planned
      const isPlanned = now !== null && words.includes(now.words)
      if (isPlanned) planned = null
      if (isPlanned && now.when === 'before') {
        cut()
        now.done()
        return
      }
      if (isPlanned) waits = now
      upstream.write(bytes)
    })
    upstream.on('data', (bytes: Buffer) => {
      if (waits === null) {
        client.write(bytes)
        return
      }
      if (!bytes.subarray(-READY_FOR_QUERY.length - 1, -1).equals(READY_FOR_QUERY)) return
      cut()
      waits.done()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the proxy has no port')
  const url = new URL(databaseUrl)
  url.searchParams.delete('host')
  url.host = `127.0.0.1:${address.port}`
  return {
    connectionString: url.href,
    heard,
    cutAt(words, when, done) {
      planned = { words, when, done }
    },
    async [Symbol.asyncDispose]() {
      const closed = new Promise((resolve) => server.close(resolve))
      for (const socket of sockets) socket.destroy()
      await closed
    },
  }
}

/** Returns a function that reads SQL statements from a program's bytes. Prepared statements are later sent by name. */
function readStatements(): (bytes: Buffer) => string[] {
  let rest: Buffer = Buffer.alloc(0)
  let hasBegun = false
  const prepared = new Map<string, string>()
  return (bytes) => {
    rest = Buffer.concat([rest, bytes])
    const words: string[] = []
    if (!hasBegun) {
      // The first message of a PostgreSQL connection has no type byte.
      const length = rest.length >= 4 ? rest.readInt32BE(0) : Number.POSITIVE_INFINITY
      if (rest.length < length) return words
      rest = rest.subarray(length)
      hasBegun = true
    }
    while (rest.length >= HEADER_BYTES) {
      const length = 1 + rest.readInt32BE(1)
      if (rest.length < length) break
      const type = String.fromCharCode(rest[0] ?? 0)
      const [first = '', second = ''] = rest.toString('utf8', HEADER_BYTES, length).split('\0')
      if (type === 'Q') words.push(first)
      if (type === 'P') prepared.set(first, second)
      // In a Bind message the portal name stands before the statement name.
      if (type === 'B') words.push(prepared.get(second) ?? '')
      rest = rest.subarray(length)
    }
    return words
  }
}
