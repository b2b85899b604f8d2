import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { inject } from 'vitest'
import './global-setup.ts'

export type TestDatabase = AsyncDisposable & { name: string; connectionString: string }

/** Creates a migrated database for one test. `await using` drops it at the end. */
export function createTestDatabase(): Promise<TestDatabase> {
  return createDatabase(inject('postgres').template)
}

export function createEmptyDatabase(): Promise<TestDatabase> {
  return createDatabase('template0')
}

async function createDatabase(template: string): Promise<TestDatabase> {
  const { superuserUrl, applicationUrl } = inject('postgres')
  const superuser = superuserOf(superuserUrl)
  const name = `test_${randomUUID().replaceAll('-', '')}`
  // FILE_COPY copies whole files, which is faster than page by page.
  await superuser.query(`CREATE DATABASE ${name} TEMPLATE ${template} STRATEGY FILE_COPY OWNER ringpost`)
  const url = new URL(applicationUrl)
  url.pathname = `/${name}`
  return {
    name,
    connectionString: url.href,
    [Symbol.asyncDispose]: async () => {
      await superuser.query(`DROP DATABASE ${name} WITH (FORCE)`)
    },
  }
}

const superusers = new Map<string, pg.Pool>()

/** All tests of a worker share a superuser connection. Connecting takes a quarter as long as copying a database. */
function superuserOf(connectionString: string): pg.Pool {
  const found = superusers.get(connectionString)
  if (found !== undefined) return found
  const pool = new pg.Pool({ connectionString, max: 1, idleTimeoutMillis: 0, allowExitOnIdle: true })
  // The database server ends before the worker does. An idle connection then emits an error, which is ignored.
  pool.on('error', () => undefined)
  superusers.set(connectionString, pool)
  return pool
}
