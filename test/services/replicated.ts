import { readFile } from 'node:fs/promises'
import { expect } from 'vitest'
import { migrate } from '#server/house/db/migrate.ts'
import { Pool } from '#server/house/db/pool.ts'
import { takeServing } from '#server/house/nodes/take-serving.ts'
import { seedCatalog } from '#server/programs/boot/seed-catalog.ts'
import { insertUsdRate } from '#server/programs/demo/queries.ts'
import { startTestApp, type TestApp } from '#test/harness/harness.ts'
import {
  alterSystem,
  type DebianPostgres,
  makeCluster,
  runTool,
  startCluster,
  startStandBy,
  toolFolder,
} from '#test/harness/postgres/debian-postgres.ts'
import { fastestPlace, queryOnce, quietLog } from '#test/harness/postgres/temporary-postgres.ts'

const SETTINGS = ['fsync=off', 'jit=off']
/** The stand-by logs what it is sent, and ends what its replay conflicts with at once. */
const STAND_BY_SETTINGS = [...SETTINGS, 'log_statement=all', 'max_standby_streaming_delay=0']

export type Copied = AsyncDisposable & {
  primary: DebianPostgres
  standBy: DebianPostgres
  pause(): Promise<void>
  resume(): Promise<void>
  /** Kills the stand-by. */
  kill(): Promise<void>
  /** Returns the names of all statements that the application sent to the stand-by. */
  sent(): Promise<string[]>
}

export type Replicated = Copied & {
  t: TestApp
  /** Renews the node and looks, as the loops of the server do, until the stand-by is read. */
  follow(): Promise<void>
  look(): Promise<void>
}

/** Starts a primary of PostgreSQL with a stand-by. Both have the database `ringpost`, which `fill` fills. */
export async function startCopied(fill: (connectionString: string) => Promise<void>): Promise<Copied> {
  await using stack = new AsyncDisposableStack()
  const folder = stack.use(await toolFolder(await fastestPlace()))
  await makeCluster(folder.path('a'))
  const primary = stack.use(await startCluster(folder.path('a'), SETTINGS))
  await runTool('createdb', [...primary.connect, '--owner=ringpost', 'ringpost'])
  await fill(primary.applicationUrl('ringpost'))
  const standBy = stack.use(await startStandBy(primary, folder.path('b'), STAND_BY_SETTINGS))
  // No commit waits for a stand-by that a test kills.
  await alterSystem(primary, 'synchronous_standby_names', '')
  const replay = (verb: string) => queryOnce(standBy.superuserUrl('postgres'), `SELECT pg_wal_replay_${verb}()`)
  const running = stack.move()
  return {
    primary,
    standBy,
    async pause() {
      await replay('pause')
      const paused = `SELECT FROM pg_get_wal_replay_pause_state() state WHERE state = 'paused'`
      await expect.poll(() => queryOnce(standBy.superuserUrl('postgres'), paused)).toHaveLength(1)
    },
    async resume() {
      await replay('resume')
    },
    async kill() {
      await runTool('pg_ctl', ['stop', '-D', folder.path('b'), '-m', 'immediate', '-w'])
    },
    async sent() {
      const log = await readFile(`${folder.path('b')}.log`, 'utf8')
      return [...new Set([...log.matchAll(/LOG: {2}execute ([^:]+):/g)].map(([, name = '']) => name))].sort()
    },
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  }
}

/** Starts the application on a primary of PostgreSQL with a stand-by that may be read. */
export async function startReplicated(): Promise<Replicated> {
  await using stack = new AsyncDisposableStack()
  const copied = stack.use(await startCopied(furnish))
  const connectionString = copied.primary.applicationUrl('ringpost')
  const database = { name: 'ringpost', connectionString, [Symbol.asyncDispose]: async () => undefined }
  const replicaUrl = copied.standBy.applicationUrl('ringpost')
  const t = stack.use(await startTestApp({ database, replicaUrl }))
  const node = stack.use(await takeServing(t.ctx))
  const look = async () => t.ctx.replica?.look(() => t.clock.now())
  const running = stack.move()
  return {
    ...copied,
    t,
    async follow() {
      await node.renew()
      await expect
        .poll(async () => {
          await look()
          return t.ctx.replica?.standBys.map(({ isRead, behindMs }) => [isRead, behindMs])
        })
        .toEqual([[true, 0]])
    },
    look,
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  }
}

async function furnish(connectionString: string): Promise<void> {
  await using pool = new Pool({ connectionString, maxConnections: 2, applicationName: 'maker', log: quietLog })
  await migrate(pool)
  await seedCatalog(pool)
  await insertUsdRate(pool, { rubMicros: 90_000_000n, now: new Date() })
}
