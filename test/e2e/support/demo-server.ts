import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { EventEmitter, once } from 'node:events'
import { copyFile, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'
import { afterAll, beforeAll, inject } from 'vitest'
import { ownEnvironment } from '#test/harness/compiled-programs.ts'
import { createTestDatabase } from '#test/harness/database.ts'
import { temporaryFolder } from '#test/harness/temporary-folder.ts'
import { temporaryDataDir } from '#test/harness/temporary-postgres.ts'

/** The whole product, in a process, a data folder and a database of its own. */
export type DemoServer = AsyncDisposable & {
  url: string
  realtimePort: number
  apiKey: string
  /** `npm run cli -- …` on this data folder. Resolves with what it printed. */
  cli(...words: string[]): Promise<string>
  /** Waits for a line of these words, now or earlier; rejects when the process ends without it. */
  said(words: RegExp): Promise<RegExpExecArray>
}

const ROOT = join(import.meta.dirname, '../../..')

/** One demo for the tests of a file. It is there once they run. */
export function demoOfFile(settings: Record<string, string> = {}): DemoServer {
  // Whoever reads it earlier finds nothing in it: it is filled before the first test.
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

/** A demo on a copy of the one that test/e2e/support/global-setup.ts filled. */
export async function startDemoServer(settings: Record<string, string> = {}): Promise<DemoServer> {
  await using stack = new AsyncDisposableStack()
  const database = stack.use(await createTestDatabase())
  const folder = stack.use(await temporaryFolder())
  for (const file of ['demo.json', 'secret-key']) await copyFile(join(inject('demoFolder'), file), folder.path(file))
  const place = { DATA_DIR: folder.root, DATABASE_URL: database.connectionString }
  return await startDemo(stack, { ...place, ...settings })
}

/** A demo in an empty folder, with a PostgreSQL of its own, as a newcomer starts it. */
export async function startNewDemo(settings: Record<string, string> = {}): Promise<DemoServer> {
  await using stack = new AsyncDisposableStack()
  const { dataDir } = stack.use(await temporaryDataDir())
  return await startDemo(stack, { DATA_DIR: dataDir, ...settings })
}

/** `stack` holds what the demo stands on, and is the demo's from here on. */
async function startDemo(
  stack: AsyncDisposableStack,
  settings: Record<string, string> & { DATA_DIR: string },
): Promise<DemoServer> {
  // Crawls ask for hundreds of pages from one address.
  const ours = { DEMO: '1', PORT: '0', REALTIME_PORT: '0', PAGES_PER_SECOND: '1000' }
  const environment = { ...environmentOfTests(), ...ours, ...settings }
  const child = spawn(process.execPath, ['server/main.ts'], { cwd: ROOT, env: environment })
  stack.defer(() => stop(child))
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
      const { stdout } = await promisify(execFile)(process.execPath, ['server/cli.ts', ...words], {
        cwd: ROOT,
        env: environment,
      })
      return stdout
    },
    said,
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  }
}

/** The tests' own environment without the settings a developer may have in theirs. */
function environmentOfTests(): Record<string, string> {
  const { HOME = '', LANG = 'C.UTF-8', TMPDIR } = process.env
  return { ...ownEnvironment(), HOME, LANG, ...(TMPDIR !== undefined && { TMPDIR }) }
}

/** Hears what the process writes, line by line. */
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
