import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import pg from 'pg'
import { expect, test } from 'vitest'
import { migrate } from '#server/house/db/migrate.ts'
import { Pool } from '#server/house/db/pool.ts'
import { AlreadyRunning } from '#server/house/start-refused.ts'
import { createTestDatabase, type TestDatabase } from '#test/harness/database.ts'
import { quietLog } from '#test/harness/postgres/temporary-postgres.ts'
import { type InstanceLock, takeInstanceLock } from './instance-lock.ts'
import { insertNode, LOCK_KEY } from './queries.ts'

function openPool(connectionString: string, applicationName: string): Pool {
  return new Pool({ connectionString, maxConnections: 2, applicationName, log: quietLog })
}

const NODE = { host: 'machine', pid: 1, version: '0.1.0', commit: null }

async function takeLock(pool: Pool): Promise<InstanceLock> {
  await migrate(pool)
  const lock = await takeInstanceLock(pool, await insertNode(pool, NODE))
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
  expect(await takeInstanceLock(second, await insertNode(second, NODE))).toBeNull()
})

test('whoever finds that another has taken the lock meanwhile is told so, again and again', async () => {
  await using database = await createTestDatabase()
  await using pool = openPool(database.connectionString, 'first')
  await using lock = await takeLock(pool)
  const other = new pg.Client({ connectionString: database.connectionString })
  await other.connect()
  const taken = other.query('SELECT pg_advisory_lock($1)', [LOCK_KEY])
  await expect.poll(() => waitersFor(pool)).toBe(1)
  await pool.query({ text: 'SELECT pg_terminate_backend($1, 5000)', values: [await holderOf(pool)] })
  await taken
  await expect(lock.renew()).rejects.toThrow(AlreadyRunning)
  await expect(lock.renew()).rejects.toThrow('another Ringpost has taken over this database')
  await other.end()
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

async function waitersFor(pool: Pool): Promise<number> {
  const { rows } = await pool.query<{ waiting: number }>({
    text: `SELECT count(*)::integer AS waiting FROM pg_locks WHERE locktype = 'advisory' AND objid = $1 AND NOT granted
      AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`,
    values: [LOCK_KEY],
  })
  return rows[0]?.waiting ?? 0
}
