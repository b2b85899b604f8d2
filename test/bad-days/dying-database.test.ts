import { expect, test } from 'vitest'
import { suppliersOf } from '#server/core/suppliers/running-suppliers.ts'
import { readConfig } from '#server/house/config/config.ts'
import { Pool } from '#server/house/db/pool.ts'
import { toAppError } from '#server/house/http/error-reply.ts'
import { buildContext } from '#server/programs/boot/build-context.ts'
import { explainStart } from '#server/programs/boot/explain-start.ts'
import { startServer } from '#server/programs/boot/start.ts'
import { startPostgresProxy, type Treatment } from '#test/fakes/postgres-proxy.ts'
import { createTestDatabase } from '#test/harness/database.ts'
import { recordingLog } from '#test/harness/recording-log.ts'
import { temporaryFolder } from '#test/harness/temporary-folder.ts'

async function prepare(treat: (connection: number) => Treatment, waitSeconds: string) {
  await using stack = new AsyncDisposableStack()
  const folder = stack.use(await temporaryFolder())
  const database = stack.use(await createTestDatabase())
  const proxy = stack.use(await startPostgresProxy(database.connectionString, treat))
  const ports = { PORT: '0', REALTIME_PORT: '0' }
  const environment = { DEMO: '1', DATA_DIR: folder.root, DATABASE_WAIT_SECONDS: waitSeconds, ...ports }
  const { config } = readConfig(environment)
  const log = recordingLog()
  const { connectionString } = proxy
  const pool = stack.use(new Pool({ connectionString, maxConnections: 4, applicationName: 'test', log }))
  const ctx = buildContext({ config, secrets: { secretKey: 'a secret of tests, long enough to pass' }, pool, log })
  const kept = stack.move()
  return { ctx, log, proxy, [Symbol.asyncDispose]: () => kept.disposeAsync() }
}

const WAITS = 'the database cannot be used yet: the start waits for it'

test('R-H: a start that meets a PostgreSQL which is starting, and then dies under it, waits and serves', async () => {
  const treat = (connection: number): Treatment => {
    if (connection <= 3) return 'starting'
    return connection <= 9 ? { cutAfterBytes: (connection - 3) * 900 } : 'pass'
  }
  await using house = await prepare(treat, '60')
  await using server = await startServer(house.ctx)
  expect((await fetch(`${server.url}/readyz`)).status).toBe(200)
  expect(house.proxy.connections()).toBeGreaterThan(9)
  expect(house.log.lines.filter(({ sentence }) => sentence === WAITS)).toHaveLength(1)
  expect(suppliersOf(house.ctx).all()).toHaveLength(1)
})

test.each([
  ['starting', 'the database cannot be used: the database system is starting up'],
  [{ cutAfterBytes: 0 }, 'the database cannot be reached: Connection terminated unexpectedly'],
] as const)('R-H: one that goes on so (%o) ends the start in one sentence', async (treatment, sentence) => {
  await using house = await prepare(() => treatment, '0')
  const refused = await startServer(house.ctx).then(
    () => expect.fail('it started'),
    (error: unknown) => explainStart(error),
  )
  expect(refused).toBe(sentence)
})

test('a full disk on which no connection can be opened is a database that is away, and not a fault of ours', async () => {
  let treatment: Treatment = 'disk full'
  await using house = await prepare(() => treatment, '0')
  const { db } = house.ctx
  const failure = await db.query({ text: 'SELECT' }).then(
    () => expect.fail('it answered'),
    (error: unknown) => error,
  )
  expect(toAppError(failure)).toMatchObject({ httpStatus: 503, code: 'DATABASE_UNAVAILABLE' })
  expect(db.outages.away).toBe(true)
  treatment = 'pass'
  await db.query({ text: 'SELECT' })
})
