import { createTestDatabase } from '#test/harness/database.ts'
import { startPgBouncer } from '#test/harness/postgres/pgbouncer.ts'
import { temporaryDataDir } from '#test/harness/postgres/temporary-postgres.ts'
import { requireProgram } from '#test/harness/programs.ts'
import { type NodeProcesses, startNodeProcesses } from './node-processes.ts'

const programs = {
  haproxy: requireProgram('haproxy'),
  pgbouncer: requireProgram('pgbouncer'),
  redis: requireProgram('redis-server'),
}

export const hasCluster = Object.values(programs).every((program) => program !== undefined)

export type Cluster = NodeProcesses & { databaseUrl: string }

/** Starts real processes of the demo on one database, behind PgBouncer and HAProxy, with one Redis. */
export async function startCluster(count: number, settings: Record<string, string> = {}): Promise<Cluster> {
  await using stack = new AsyncDisposableStack()
  const folder = stack.use(await temporaryDataDir())
  const database = stack.use(await createTestDatabase())
  const pooler = stack.use(await startPgBouncer(programs.pgbouncer ?? '', database))
  const { haproxy = '', redis = '' } = programs
  const all = {
    DATA_DIR: folder.dataDir,
    DATABASE_URL: pooler.connectionString,
    DATABASE_DIRECT_URL: database.connectionString,
    DATABASE_PREPARED_STATEMENTS: 'off',
    EARLY_CANCEL_SECONDS: '0',
    API_REQUESTS_PER_SECOND: '10000',
    ...settings,
  }
  const processes = stack.use(await startNodeProcesses({ haproxy, redis }, { count, settings: all }))
  const running = stack.move()
  return { ...processes, databaseUrl: database.connectionString, [Symbol.asyncDispose]: () => running.disposeAsync() }
}
