import { randomUUID } from 'node:crypto'
import { inject } from 'vitest'
import './global-setup.ts'
import { queryOnce } from './temporary-postgres.ts'

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
  const name = `test_${randomUUID().replaceAll('-', '')}`
  // Whole files are copied sooner than their pages one by one.
  await queryOnce(superuserUrl, `CREATE DATABASE ${name} TEMPLATE ${template} STRATEGY FILE_COPY OWNER ringpost`)
  const url = new URL(applicationUrl)
  url.pathname = `/${name}`
  return {
    name,
    connectionString: url.href,
    [Symbol.asyncDispose]: async () => {
      // FORCE ends connections that a test left open.
      await queryOnce(superuserUrl, `DROP DATABASE ${name} WITH (FORCE)`)
    },
  }
}
