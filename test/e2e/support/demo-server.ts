import { type ChildProcess, spawn } from 'node:child_process'
import { EventEmitter, once } from 'node:events'
import { copyFile, mkdtemp, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { afterAll, beforeAll, inject } from 'vitest'
import { Pool } from '#server/house/db/pool.ts'
import { ownEnvironment } from '#test/harness/compiled-programs.ts'
import { createTestDatabase } from '#test/harness/database.ts'
import { quietLog, temporaryDataDir } from '#test/harness/postgres/temporary-postgres.ts'
import { temporaryFolder } from '#test/harness/temporary-folder.ts'
import { typedIn } from '#test/harness/typed.ts'

/** The whole product in a process, with a data folder and a database of its own. */
export type DemoServer = AsyncDisposable & {
  url: string
  realtimePort: number
  apiKey: string
  /** Runs a command of `npm run cli` on this data folder in the test's process. Resolves with the output. */
  cli(...words: string[]): Promise<string>
  /** A pool on the demo's database, by which tests insert people and change times. */
  pool: Pool
  /** Waits for a matching log line, including earlier lines. Rejects if the process ends without one. */
  said(words: RegExp): Promise<RegExpExecArray>
}

const ROOT = join(import.meta.dirname, '../../..')

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

/** Starts a demo server in an empty folder, with its own PostgreSQL, like a new user. */
export async function startNewDemo(settings: Record<string, string> = {}): Promise<Omit<DemoServer, 'pool'>> {
  await using stack = new AsyncDisposableStack()
  const { dataDir } = stack.use(await temporaryDataDir())
  return await startDemo(stack, { DATA_DIR: dataDir, ...settings })
}

/** Starts a demo, which disposes the resources in `stack` at its end. */
async function startDemo(
  stack: AsyncDisposableStack,
  settings: Record<string, string> & { DATA_DIR: string },
  { endsWithUs = false } = {},
): Promise<Omit<DemoServer, 'pool'>> {
  // Crawls request hundreds of pages from one address, so the rate limit is raised.
  const ours = { DEMO: '1', PORT: '0', REALTIME_PORT: '0', PAGES_PER_SECOND: '1000' }
  const environment = { ...environmentOfTests(), ...ours, ...settings }
  const child = spawn(process.execPath, ['server/main.ts'], { cwd: ROOT, env: environment })
  stack.defer(() => stop(child))
  if (endsWithUs) for (const end of ['exit', 'SIGTERM']) process.once(end, () => child.kill('SIGKILL'))
  const said = listenTo(child)
  const [, url = ''] = await said(/Ringpost is running:\s+(\S+)/)
  const [, realtimePort] = await said(/Live \(Pusher\):\s+port (\d+)/)
  const { apiKey } = JSON.parse(await readFile(join(settings.DATA_DIR, 'demo.json'), 'utf8')) as { apiKey: string }
  const kept = stack.move()
  return {
    url,
    realtimePort: Number(realtimePort),
    apiKey,
    cli: async (...words) => {
      const { code, out, err } = await typedIn(environment, ...words)
      if (code !== 0) throw new Error(`${words[0]} ended with ${code}: ${err}`)
      return out
    },
    said,
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  }
}

/** Returns the tests' environment without a developer's own settings. */
function environmentOfTests(): Record<string, string> {
  const { HOME = '', LANG = 'C.UTF-8', TMPDIR } = process.env
  return { ...ownEnvironment(), HOME, LANG, ...(TMPDIR !== undefined && { TMPDIR }) }
}

function listenTo(child: ChildProcess): DemoServer['said'] {
  const lines: string[] = []
  const events = new EventEmitter().setMaxListeners(0)
  for (const stream of [child.stdout, child.stderr]) {
    if (stream === null) throw new Error('a pipe was asked for')
    createInterface({ input: stream }).on('line', (line) => {
      lines.push(line)
      events.emit('line')
    })
  }
  const exited = once(child, 'exit')
  return async (words: RegExp): Promise<RegExpExecArray> => {
    for (let read = 0; ; ) {
      for (; read < lines.length; read += 1) {
        const found = words.exec(lines[read] ?? '')
        if (found !== null) return found
      }
      const ended = exited.then(() => Promise.reject(new Error(`the server ended, it said:\n${lines.join('\n')}`)))
      await Promise.race([once(events, 'line'), ended])
    }
  }
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  child.kill('SIGTERM')
  await ended
}
