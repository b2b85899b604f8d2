import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { inject } from 'vitest'
import './global-setup.ts'

export type TestDatabase = AsyncDisposable & { name: string; connectionString: string }

/** A migrated database of the test's own. `await using database = await createTestDatabase()` drops it at the end. */
export function createTestDatabase(): Promise<TestDatabase> {
  return createDatabase(inject('postgres').template)
}

/** The same without any table. */
export function createEmptyDatabase(): Promise<TestDatabase> {
  return createDatabase('template0')
}

async function createDatabase(template: string): Promise<TestDatabase> {
  const { superuserUrl, applicationUrl } = inject('postgres')
  const superuser = superuserOf(superuserUrl)
  const name = `test_${randomUUID().replaceAll('-', '')}`
  // Whole files are copied sooner than their pages one by one.
  await superuser.query(`CREATE DATABASE ${name} TEMPLATE ${template} STRATEGY FILE_COPY OWNER ringpost`)
  const url = new URL(applicationUrl)
  url.pathname = `/${name}`
  return {
    name,
    connectionString: url.href,
    [Symbol.asyncDispose]: async () => {
      // FORCE ends connections that a test left open.
      await superuser.query(`DROP DATABASE ${name} WITH (FORCE)`)
    },
  }
}

const superusers = new Map<string, pg.Pool>()

/** One connection for a worker: a new one for each test would cost as much as a quarter of the copy. */
function superuserOf(connectionString: string): pg.Pool {
  const found = superusers.get(connectionString)
  if (found !== undefined) return found
  const pool = new pg.Pool({ connectionString, max: 1, idleTimeoutMillis: 0, allowExitOnIdle: true })
  // The server ends before the worker does.
  pool.on('error', () => undefined)
  superusers.set(connectionString, pool)
  return pool
}
