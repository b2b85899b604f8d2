import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { migrate } from '#server/house/db/migrate.ts'
import { openConnection } from '#server/house/db/own-connection.ts'
import { Pool } from '#server/house/db/pool.ts'
import { AlreadyRunning } from '#server/house/start-refused.ts'
import { createTestDatabase, type TestDatabase } from '#test/harness/database.ts'
import { quietLog } from '#test/harness/postgres/temporary-postgres.ts'
import { type InstanceLock, takeInstanceLock } from './instance-lock.ts'
import { LOCK_KEY, type Serving } from './lock-queries.ts'
import { declareDead, endNode, insertNode, listLivingNodes, listNodes } from './queries.ts'

function openPool(connectionString: string, applicationName: string): Pool {
  return new Pool({ connectionString, maxConnections: 2, applicationName, log: quietLog })
}

const NODE = { host: 'machine', pid: 1, version: '0.1.0', commit: null }

async function tryLock(pool: Pool, serving: Serving = 'alone'): Promise<InstanceLock | null> {
  return takeInstanceLock(pool, { nodeId: await insertNode(pool, NODE), serving })
}

async function takeLock(pool: Pool, serving: Serving = 'alone'): Promise<InstanceLock> {
  await migrate(pool)
  const lock = await tryLock(pool, serving)
  if (lock === null) throw new Error('somebody else holds the lock')
  return lock
}

async function holderOf(pool: Pool): Promise<number | undefined> {
  const { rows } = await pool.query<{ pid: number }>({
    text: `SELECT pid FROM pg_locks WHERE locktype = 'advisory' AND objid = $1 AND granted
      AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`,
    values: [LOCK_KEY],
  })
  return rows[0]?.pid
}

/** Starts a proxy to PostgreSQL. A cut on our side leaves the connection open for PostgreSQL. */
async function startWire(database: TestDatabase) {
  const url = new URL(database.connectionString)
  const path = join(decodeURIComponent(url.hostname), '.s.PGSQL.5432')
  const ours = new Set<Socket>()
  const theirs = new Set<Socket>()
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    const upstream = connect(path)
    ours.add(socket)
    theirs.add(upstream)
    socket.on('data', (bytes) => upstream.write(bytes))
    upstream.on('data', (bytes) => socket.writable && socket.write(bytes))
    socket.on('end', () => upstream.end())
    upstream.on('close', () => socket.destroy())
    for (const each of [socket, upstream]) each.on('error', () => undefined)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  url.hostname = '127.0.0.1'
  // An address may name its connections, so a lock is not known by the name of its connection.
  url.searchParams.set('application_name', 'shop')
  url.port = String(port)
  return {
    connectionString: url.href,
    cut: () => {
      for (const socket of ours) socket.destroy()
      ours.clear()
    },
    refuse: () => {
      server.close()
      for (const socket of [...ours, ...theirs]) socket.destroy()
    },
    [Symbol.dispose]: () => {
      for (const socket of [...ours, ...theirs]) socket.destroy()
      server.close()
    },
  }
}

test('a lock whose connection was ended is taken again', async () => {
  await using database = await createTestDatabase()
  await using pool = openPool(database.connectionString, 'first')
  await using lock = await takeLock(pool)
  const before = await holderOf(pool)
  await pool.query({ text: 'SELECT pg_terminate_backend($1, 5000)', values: [before] })
  await lock.renew()
  const after = await holderOf(pool)
  expect(after).not.toBe(before)
  await lock.renew()
  expect(await holderOf(pool)).toBe(after)
  await using second = openPool(database.connectionString, 'second')
  expect(await tryLock(second)).toBeNull()
})

test('whoever finds that another has taken the lock meanwhile is told so, again and again', async () => {
  await using database = await createTestDatabase()
  await using pool = openPool(database.connectionString, 'first')
  await using lock = await takeLock(pool)
  await using other = await openConnection(database.connectionString, 'other')
  const taken = other.client.query('SELECT pg_advisory_lock($1)', [LOCK_KEY])
  await expect.poll(() => waitersFor(pool)).toBe(1)
  await pool.query({ text: 'SELECT pg_terminate_backend($1, 5000)', values: [await holderOf(pool)] })
  await taken
  await expect(lock.renew()).rejects.toThrow(AlreadyRunning)
  await expect(lock.renew()).rejects.toThrow('another Ringpost has taken over this database')
  await other.client.query('SELECT pg_advisory_unlock($1)', [LOCK_KEY])
  await lock.renew()
})

test('a connection of ours that only PostgreSQL still believes in is not another process', async () => {
  await using database = await createTestDatabase()
  using wire = await startWire(database)
  await using pool = openPool(database.connectionString, 'onlooker')
  await using wired = openPool(wire.connectionString, 'first')
  await using lock = await takeLock(wired)
  const before = await holderOf(pool)
  wire.cut()
  expect(await holderOf(pool)).toBe(before)
  await lock.renew()
  expect(await holderOf(pool)).not.toBe(before)
  expect(await holderOf(pool)).toBeDefined()
})

test('nodes that serve together share the lock, which no node alone and no release 0.1.0 gets', async () => {
  await using database = await createTestDatabase()
  await using pool = openPool(database.connectionString, 'nodes')
  await using first = await takeLock(pool, 'together')
  await using second = await takeLock(pool, 'together')
  expect(await tryLock(pool, 'alone')).toBeNull()
  // A dead node keeps nobody out, although PostgreSQL still believes in its connection.
  for (const { id } of await listNodes(pool, 10)) await endNode(pool, id)
  await using alone = await takeLock(pool, 'alone')
  expect(await tryLock(pool, 'together')).toBeNull()
  await alone.renew()
  for (const lock of [first, second]) await expect(lock.renew()).rejects.toThrow(AlreadyRunning)
})

test('a node whose direct connection fails lives on while the pooler answers, and ends once it was declared dead', async () => {
  await using database = await createTestDatabase()
  using wire = await startWire(database)
  const { connectionString } = database
  await using pool = new Pool({
    connectionString,
    directConnectionString: wire.connectionString,
    maxConnections: 2,
    applicationName: 'node',
    log: quietLog,
  })
  await using lock = await takeLock(pool)
  wire.refuse()
  await lock.renew()
  const [node] = await listLivingNodes(pool)
  if (node === undefined) throw new Error('the node has ended')
  await lock.renew({ sockets: 3 })
  expect(await declareDead(pool, node)).toBe(false)
  const [renewed] = await listLivingNodes(pool)
  expect(await declareDead(pool, renewed ?? node)).toBe(true)
  await expect(lock.renew()).rejects.toThrow(AlreadyRunning)
})

async function waitersFor(pool: Pool): Promise<number> {
  const { rows } = await pool.query<{ waiting: number }>({
    text: `SELECT count(*)::integer AS waiting FROM pg_locks WHERE locktype = 'advisory' AND objid = $1 AND NOT granted
      AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`,
    values: [LOCK_KEY],
  })
  return rows[0]?.waiting ?? 0
}
