import pg from 'pg'
import type { TestProject } from 'vitest/node'
import { startMain } from '#test/fakes/main-process.ts'
import { shareCompiled } from '#test/harness/compiled-programs.ts'
import { startTemporaryPostgres, temporaryDataDir } from '#test/harness/postgres/temporary-postgres.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    demoFolder: string
  }
}

const TEMPLATE = 'ringpost_demo'

/** Starts one PostgreSQL for all browser tests, with a filled demo to copy, because filling one is slow. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  shareCompiled()
  await using stack = new AsyncDisposableStack()
  const postgres = await startTemporaryPostgres()
  stack.defer(() => postgres.remove())
  const { dataDir } = stack.use(await temporaryDataDir())
  const superuserUrl = postgres.superuserConnectionString('postgres')
  const client = new pg.Client({ connectionString: superuserUrl })
  await client.connect()
  try {
    await client.query(`CREATE DATABASE ${TEMPLATE} OWNER ringpost`)
    await fillDemo({ DATA_DIR: dataDir, DATABASE_URL: postgres.connectionString(TEMPLATE) })
    // PostgreSQL copies a database only while nobody is connected, so connections are refused from now on.
    await client.query(`ALTER DATABASE ${TEMPLATE} WITH IS_TEMPLATE true ALLOW_CONNECTIONS false`)
  } finally {
    await client.end()
  }
  const applicationUrl = postgres.connectionString('postgres')
  project.provide('postgres', { superuserUrl, applicationUrl, template: TEMPLATE })
  project.provide('demoFolder', dataDir)
  const kept = stack.move()
  return () => kept.disposeAsync()
}

async function fillDemo(environment: { DATA_DIR: string; DATABASE_URL: string }): Promise<void> {
  await using demo = startMain({ DEMO: '1', ...environment })
  await demo.url
  demo.kill('SIGTERM')
  const { code, out, err } = await demo.ended
  if (code !== 0) throw new Error(`the demo ended with ${code}: ${out}${err}`)
}
