import { type ChildProcess, spawn } from 'node:child_process'
import { EventEmitter, once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { ownEnvironment } from '#test/harness/compiled-programs.ts'
import { temporaryDataDir } from '#test/harness/postgres/temporary-postgres.ts'
import { typedIn } from '#test/harness/typed.ts'

/** The whole product in a process, with a data folder of its own. */
export type DemoProcess = AsyncDisposable & {
  url: string
  realtimePort: number
  apiKey: string
  /** Runs a command of `npm run cli` on this data folder in the test's process. Resolves with the output. */
  cli(...words: string[]): Promise<string>
  /** Waits for a matching log line, including earlier lines. Rejects if the process ends without one. */
  said(words: RegExp): Promise<RegExpExecArray>
}

const ROOT = join(import.meta.dirname, '../../..')

/** Starts a demo server in an empty folder, with its own PostgreSQL, like a new user. */
export async function startNewDemo(settings: Record<string, string> = {}): Promise<DemoProcess> {
  await using stack = new AsyncDisposableStack()
  const { dataDir } = stack.use(await temporaryDataDir())
  return await startDemo(stack, { DATA_DIR: dataDir, ...settings })
}

/** Starts a demo, which disposes the resources in `stack` at its end. */
export async function startDemo(
  stack: AsyncDisposableStack,
  settings: Record<string, string> & { DATA_DIR: string },
  { endsWithUs = false } = {},
): Promise<DemoProcess> {
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

function listenTo(child: ChildProcess): DemoProcess['said'] {
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
