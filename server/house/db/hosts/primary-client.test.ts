import { expect, test } from 'vitest'
import { explainStart } from '#server/programs/boot/explain-start.ts'
import { startPostgresProxy, type Treatment } from '#test/fakes/postgres-proxy.ts'
import { createTestDatabase } from '#test/harness/database.ts'
import { recordingLog } from '#test/harness/recording-log.ts'
import { openConnection } from '../own-connection.ts'
import { Pool } from '../pool.ts'

/** Makes one address of two hosts, which treat their connections so. */
async function openHosts(...treatments: [Treatment, Treatment]) {
  await using stack = new AsyncDisposableStack()
  const database = stack.use(await createTestDatabase())
  const [first, second] = [
    stack.use(await startPostgresProxy(database.connectionString, () => treatments[0])),
    stack.use(await startPostgresProxy(database.connectionString, () => treatments[1])),
  ]
  const [one, two] = [first, second].map(({ connectionString }) => new URL(connectionString).host)
  const kept = stack.move()
  return {
    first,
    second,
    hosts: [one, two],
    connectionString: first.connectionString.replace(`${one}`, `${one},${two}`),
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  }
}

const openPool = (connectionString: string) =>
  new Pool({ connectionString, maxConnections: 4, applicationName: 'test', log: recordingLog() })

test.each([
  ['starting', 'pass'],
  ['pass', 'starting'],
  [{ silentFrom: 'user' }, 'pass'],
] as const)('a host that does not answer is passed over: %o, %o', async (first, second) => {
  await using house = await openHosts(first, second)
  await using pool = openPool(house.connectionString)
  const ask = () => pool.query({ text: 'SELECT pg_sleep(0.01)' })
  await Promise.all([ask(), ask(), ask()])
  await using own = await openConnection(house.connectionString, 'test')
  expect((await own.db.query({ text: 'SELECT' })).rowCount).toBe(1)
})

test('the host is asked once for many connections, and again after one was lost', async () => {
  await using house = await openHosts('pass', 'pass')
  await using pool = openPool(house.connectionString)
  const ask = () => pool.query({ text: 'SELECT pg_sleep(0.01)' })
  await Promise.all([ask(), ask(), ask()])
  expect([house.first.connections(), house.second.connections()]).toEqual([4, 0])
  const lost = pool.query({ text: 'SELECT pg_sleep(60)' }).catch((error: unknown) => error)
  await expect.poll(() => pool.pg.idleCount).toBeLessThan(pool.pg.totalCount)
  house.first.cutAll()
  expect(await lost).toBeInstanceOf(Error)
  await expect.poll(() => pool.pg.totalCount).toBe(0)
  await ask()
  expect([house.first.connections(), house.second.connections()]).toEqual([6, 0])
})

test('if no host answers, each is named in one sentence; a refused password is told at once', async () => {
  await using house = await openHosts('starting', 'starting')
  await using pool = openPool(house.connectionString)
  const explain = (address: Pool) => address.query({ text: 'SELECT' }).catch(explainStart)
  const starting = 'does not answer (the database system is starting up)'
  const [one, two] = house.hosts
  expect(await explain(pool)).toBe(
    `the database cannot be reached: no host of the database takes writes: ${one} ${starting}, ${two} ${starting}`,
  )
  await using open = await openHosts('pass', 'pass')
  await using stranger = openPool(open.connectionString.replace(/:[^:@]+@/, ':wrong@'))
  expect(await explain(stranger)).toBe(
    'the database cannot be used: password authentication failed for user "ringpost"',
  )
  expect(open.second.connections()).toBe(0)
})
