import { copyFile, mkdtemp } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, inject } from 'vitest'
import { Pool } from '#server/house/db/pool.ts'
import { createTestDatabase } from '#test/harness/database.ts'
import { quietLog } from '#test/harness/postgres/temporary-postgres.ts'
import { temporaryFolder } from '#test/harness/temporary-folder.ts'
import { type DemoProcess, startDemo } from './demo-process.ts'

/** A demo on a copy of the filled database. */
export type DemoServer = DemoProcess & {
  /** A pool on the demo's database, by which tests insert people and change times. */
  pool: Pool
}

/** A number can be given back a second after the purchase, and webhooks may go to this machine. */
const SETTINGS_OF_WORKER = { EARLY_CANCEL_SECONDS: '1', OUTBOUND_PRIVATE_HOSTS: '127.0.0.1' }
let started: Promise<DemoServer> | undefined

/**
 * Returns the demo server that all tests of a worker share. Each test creates its own person and changes no settings.
 */
export function demoOfWorker(): DemoServer {
  const server = {} as DemoServer
  beforeAll(async () => {
    started ??= startDemoOfWorker()
    Object.assign(server, await started)
  })
  return server
}

/** A worker learns of its end only by a signal, so its database and folder are removed after the whole run. */
async function startDemoOfWorker(): Promise<DemoServer> {
  const stack = new AsyncDisposableStack()
  const { connectionString } = await createTestDatabase()
  const root = await mkdtemp(join(inject('demoFolder'), 'worker-'))
  return await startCopy(stack, { root, connectionString }, { settings: SETTINGS_OF_WORKER, endsWithUs: true })
}

/** Returns a demo server for one test file, with its own settings. It is available once the file's tests run. */
export function demoOfFile(settings: Record<string, string> = {}): DemoServer {
  const server = {} as DemoServer
  let started: DemoServer | undefined
  beforeAll(async () => {
    started = await startDemoServer(settings)
    Object.assign(server, started)
  })
  afterAll(async () => {
    await started?.[Symbol.asyncDispose]()
  })
  return server
}

/** Starts a demo server on a copy of the filled database that test/e2e/support/global-setup.ts made. */
export async function startDemoServer(settings: Record<string, string> = {}): Promise<DemoServer> {
  await using stack = new AsyncDisposableStack()
  const { connectionString } = stack.use(await createTestDatabase())
  const { root } = stack.use(await temporaryFolder())
  return await startCopy(stack, { root, connectionString }, { settings })
}

async function startCopy(
  stack: AsyncDisposableStack,
  { root, connectionString }: { root: string; connectionString: string },
  { settings, endsWithUs = false }: { settings: Record<string, string>; endsWithUs?: boolean },
): Promise<DemoServer> {
  for (const file of ['demo.json', 'secret-key']) await copyFile(join(inject('demoFolder'), file), join(root, file))
  const pool = stack.use(new Pool({ connectionString, maxConnections: 2, applicationName: 'journeys', log: quietLog }))
  const place = { DATA_DIR: root, DATABASE_URL: connectionString }
  return { ...(await startDemo(stack, { ...place, ...settings }, { endsWithUs })), pool }
}
