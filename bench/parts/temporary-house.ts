import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { MINUTE } from '#contract/time.ts'
import { type EmbeddedPostgres, startEmbeddedPostgres } from '#server/house/db/embedded/embedded-postgres.ts'
import { Pool } from '#server/house/db/pool.ts'
import { queryOnce, quietLog, temporaryDataDir } from '#test/harness/postgres/temporary-postgres.ts'
import { type Child, startChild } from './ask-child.ts'
import type { ServiceAnswers } from './measured-service.ts'

export const CONNECTIONS = 10

/** A temporary PostgreSQL that is as durable as in production. */
export type House = { postgres: EmbeddedPostgres; dataDir: string }

export type Service = {
  process: Child<ServiceAnswers>
  url: string
  liveUrl: string
  db: Pool
  databaseUrl: string
  superuserUrl: string
}

type ServiceOptions = { name: string; withPages?: boolean; environment?: Record<string, string> }

export async function openHouse(stack: AsyncDisposableStack): Promise<House> {
  const { dataDir } = stack.use(await temporaryDataDir({ onDisk: true }))
  const postgres = stack.use(await startEmbeddedPostgres({ dataDir, log: quietLog }))
  return { postgres, dataDir }
}

export async function openService(
  stack: AsyncDisposableStack,
  house: House,
  options: ServiceOptions,
): Promise<Service> {
  const superuserUrl = house.postgres.superuserConnectionString('postgres')
  await queryOnce(superuserUrl, `CREATE DATABASE ${options.name} OWNER ringpost`)
  return reopenService(stack, house, options)
}

export async function reopenService(
  stack: AsyncDisposableStack,
  { postgres, dataDir }: House,
  { name, withPages = false, environment = {} }: ServiceOptions,
): Promise<Service> {
  const databaseUrl = postgres.connectionString(name)
  const child = await startChild<ServiceAnswers>(new URL('measured-service.ts', import.meta.url), {
    args: withPages ? ['with-pages'] : [],
    nodeArgs: ['--expose-gc'],
    environment: {
      DEMO: '1',
      PORT: '0',
      REALTIME_PORT: '0',
      DATABASE_URL: databaseUrl,
      DATABASE_CONNECTIONS: String(CONNECTIONS),
      DATA_DIR: join(dataDir, name),
      SECRET_KEY: randomBytes(32).toString('hex'),
      LOG_LEVEL: 'warn',
      API_REQUESTS_PER_SECOND: '1000000',
      PAGES_PER_SECOND: '1000000',
      ...environment,
    },
  })
  stack.use(child)
  const poolOptions = {
    connectionString: databaseUrl,
    maxConnections: CONNECTIONS,
    applicationName: 'bench',
    answerLimitMs: MINUTE,
  }
  const db = stack.use(new Pool({ ...poolOptions, log: quietLog }))
  const superuserUrl = postgres.superuserConnectionString(name)
  const { url, liveUrl } = await child.ask('addresses', undefined)
  return { process: child, url, liveUrl, db, databaseUrl, superuserUrl }
}
