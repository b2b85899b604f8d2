import { rm } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { migrate } from '#server/house/db/migrate.ts'
import { Pool } from '#server/house/db/pool.ts'
import { LOCK_KEY } from '#server/house/nodes/lock-queries.ts'
import { seedCatalog } from '#server/programs/boot/seed-catalog.ts'
import { insertUsdRate } from '#server/programs/demo/queries.ts'
import { createScriptedPeer, startScriptedProcess } from '#test/fakes/scripted-peer.ts'
import {
  alterSystem,
  type DebianPostgres,
  hasDebianPostgres,
  makeCluster,
  runTool,
  startCluster,
  startStandBy,
  toolFolder,
  urlOfHosts,
} from '#test/harness/postgres/debian-postgres.ts'
import { fastestPlace, queryOnce, quietLog } from '#test/harness/postgres/temporary-postgres.ts'
import { typedIn } from '#test/harness/typed.ts'
import { expectLedgerRight, furnish, until } from './real-service.ts'
import { noneSeen, shop } from './shop.ts'

const TEST_LIMIT_MS = 120_000
const SETTINGS = ['fsync=off', 'jit=off']
const LOCKED = `SELECT FROM pg_locks WHERE locktype = 'advisory' AND objid = ${LOCK_KEY} AND granted`

/** Two places of PostgreSQL, in which a primary and its synchronous stand-by change places. */
async function openPlaces() {
  await using stack = new AsyncDisposableStack()
  const folder = stack.use(await toolFolder(await fastestPlace()))
  const control = (name: string, ...words: string[]) => runTool('pg_ctl', [...words, '-D', folder.path(name), '-w'])
  const stop = (name: string) => control(name, 'stop', '-m', 'immediate')
  const start = (name: string) => startCluster(folder.path(name), SETTINGS)
  for (const name of ['a', 'b']) {
    stack.defer(async () => {
      await stop(name).catch(() => undefined)
    })
  }
  await makeCluster(folder.path('a'))
  const first = await start('a')
  await runTool('createdb', [...first.connect, '--owner=ringpost', 'ringpost'])
  const kept = stack.move()
  return {
    first,
    stop,
    promote: (name: string) => control(name, 'promote'),
    /** Makes a new stand-by, for whose answer each commit of the primary waits. */
    async follow(primary: DebianPostgres, name: string): Promise<DebianPostgres> {
      for (const old of [folder.path(name), `${folder.path(name)}-s`]) await rm(old, { recursive: true, force: true })
      return startStandBy(primary, folder.path(name), SETTINGS)
    },
    /** The address of both places, `b` first. */
    url: () => urlOfHosts(folder.path('b'), folder.path('a')),
    turnedUrl: () => urlOfHosts(folder.path('a'), folder.path('b')),
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  }
}

async function makeShop(connectionString: string): Promise<void> {
  await using pool = new Pool({ connectionString, maxConnections: 2, applicationName: 'maker', log: quietLog })
  await migrate(pool)
  await seedCatalog(pool)
  await insertUsdRate(pool, { rubMicros: 90_000_000n, now: new Date() })
}

test.skipIf(!hasDebianPostgres())(
  'of several hosts the one that takes writes is found, after a crash and after a switch, and no purchase is lost',
  { timeout: TEST_LIMIT_MS },
  async () => {
    await using places = await openPlaces()
    const databaseUrl = places.url()
    await makeShop(databaseUrl)
    const second = await places.follow(places.first, 'b')
    await using house = await furnish(databaseUrl, 3)
    const peer = createScriptedPeer()
    const environment = { EARLY_CANCEL_SECONDS: '0' }
    await using service = await startScriptedProcess(peer, { databaseUrl, environment })
    const seen = noneSeen()
    const stopped = new AbortController()
    const shopping = house.buyers.map((buyer) => shop(service.url, buyer, seen, stopped.signal))
    const sellsOn = async () => {
      const { length } = seen.bought
      await until(() => service.exitCode() !== null || seen.bought.length >= length + 20)
      expect(service.exitCode(), service.said()).toBeNull()
    }
    await sellsOn()

    await places.stop('a')
    await places.promote('b')
    await sellsOn()

    // The second primary is only shut off from writes, and lives on with all its connections.
    await places.follow(second, 'a')
    await sellsOn()
    await alterSystem(second, 'default_transaction_read_only', 'on')
    await places.promote('a')
    await sellsOn()
    await until(async () => (await queryOnce(places.first.superuserUrl('ringpost'), LOCKED)).length === 1)
    await places.stop('b')
    await sellsOn()
    stopped.abort()
    await Promise.all(shopping)

    expect([...seen.statuses.keys()].filter((status) => ![200, 201, 409, 503].includes(status))).toEqual([])
    expect({ lost: seen.lost, withoutRetryAfter: seen.withoutRetryAfter }).toEqual({ lost: [], withoutRetryAfter: 0 })
    const { rows } = await house.pool.query<{ id: bigint }>({ text: 'SELECT id FROM activations' })
    const stored = new Set(rows.map(({ id }) => Number(id)))
    expect(seen.bought.filter((id) => !stored.has(id))).toEqual([])
    // The jobs found the new primary, too: every cancelled number was given back.
    const ended = await house.pool.query<{ id: bigint }>({
      text: `SELECT id FROM activations WHERE state = 'cancelled'`,
    })
    expect(ended.rowCount).toBeGreaterThan(0)
    await until(() => ended.rows.every(({ id }) => peer.ended.has(`${id}-1`)))
    expect(peer.complaints).toEqual([])
    await expectLedgerRight(house.pool)
    for (const url of [places.url(), places.turnedUrl()]) {
      expect(await typedIn({ DATABASE_URL: url }, 'ledger:verify')).toMatchObject({ code: 0, err: '' })
      await expect(startScriptedProcess(createScriptedPeer(), { databaseUrl: url, environment })).rejects.toThrow(
        'another Ringpost is already running on this database',
      )
    }
  },
)
