import pg from 'pg'
import type { TestProject } from 'vitest/node'
import { migrate } from '#server/house/db/migrate.ts'
import { Pool } from '#server/house/db/pool.ts'
import { seedCatalog } from '#server/programs/boot/seed-catalog.ts'
import { insertUsdRate } from '#server/programs/demo/queries.ts'
import { shareCompiled } from './compiled-programs.ts'
import { quietLog, startTemporaryPostgres } from './postgres/temporary-postgres.ts'

export type TestPostgres = { superuserUrl: string; applicationUrl: string; template: string }

declare module 'vitest' {
  export interface ProvidedContext {
    postgres: TestPostgres
  }
}

export const TEMPLATE = 'ringpost_template'

/** Starts one PostgreSQL for all tests of a run, with a migrated template database. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  shareCompiled()
  const postgres = await startTemporaryPostgres()
  try {
    await makeTemplate(postgres.superuserConnectionString('postgres'), postgres.connectionString(TEMPLATE))
  } catch (error) {
    await postgres.remove()
    throw error
  }
  project.provide('postgres', {
    superuserUrl: postgres.superuserConnectionString('postgres'),
    applicationUrl: postgres.connectionString('postgres'),
    template: TEMPLATE,
  })
  return () => postgres.remove()
}

/** Makes a migrated template database, which each test database copies. */
export async function makeTemplate(superuserUrl: string, templateUrl: string): Promise<void> {
  const client = new pg.Client({ connectionString: superuserUrl })
  await client.connect()
  try {
    await client.query(`CREATE DATABASE ${TEMPLATE} OWNER ringpost`)
    {
      const options = { connectionString: templateUrl, maxConnections: 2, applicationName: 'template', log: quietLog }
      await using pool = new Pool(options)
      await migrate(pool)
      await seedCatalog(pool)
      await insertUsdRate(pool, { rubMicros: 90_000_000n, now: new Date('2026-01-01T00:00:00Z') })
    }
    // PostgreSQL copies a database only while nobody is connected, so connections are refused from now on.
    await client.query(`ALTER DATABASE ${TEMPLATE} WITH IS_TEMPLATE true ALLOW_CONNECTIONS false`)
  } finally {
    await client.end()
  }
}
