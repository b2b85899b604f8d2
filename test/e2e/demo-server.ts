import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { EventEmitter, once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'
import { afterAll, beforeAll } from 'vitest'
import { temporaryDataDir } from '#test/temporary-postgres.ts'

/** The whole product as a newcomer starts it, in a process and a data folder of its own. */
export type DemoServer = AsyncDisposable & {
  url: string
  realtimePort: number
  apiKey: string
  dataDir: string
  environment: Record<string, string>
  /** `npm run cli -- …` on this data folder. Resolves with what it printed. */
  cli(...words: string[]): Promise<string>
  /** Everything the process wrote so far. */
  output(): string
  /** Waits for a line of these words, now or earlier; rejects when the process ends without it. */
  said(words: RegExp): Promise<RegExpExecArray>
}

const ROOT = join(import.meta.dirname, '../..')

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

export async function startDemoServer(settings: Record<string, string> = {}): Promise<DemoServer> {
  const place = await temporaryDataDir()
  const { dataDir } = place
  const environment = {
    ...environmentOfTests(),
    DEMO: '1',
    DATA_DIR: dataDir,
    PORT: '0',
    REALTIME_PORT: '0',
    ...settings,
  }
  const child = spawn(process.execPath, ['server/main.ts'], { cwd: ROOT, env: environment })
  const { lines, said } = listenTo(child)
  try {
    const [, url = ''] = await said(/Ringpost is running:\s+(\S+)/)
    const [, realtimePort] = await said(/Live \(Pusher\):\s+port (\d+)/)
    const { apiKey } = JSON.parse(await readFile(join(dataDir, 'demo.json'), 'utf8')) as { apiKey: string }
    return {
      url,
      realtimePort: Number(realtimePort),
      apiKey,
      dataDir,
      environment,
      cli: async (...words) => {
        const { stdout } = await promisify(execFile)(process.execPath, ['server/cli.ts', ...words], {
          cwd: ROOT,
          env: environment,
        })
        return stdout
      },
      output: () => lines.join('\n'),
      said,
      [Symbol.asyncDispose]: () => stop(child, place),
    }
  } catch (error) {
    await stop(child, place)
    throw error
  }
}

/** The tests' own environment without the settings a developer may have in theirs. */
function environmentOfTests(): Record<string, string> {
  const { PATH = '', HOME = '', LANG = 'C.UTF-8', TMPDIR } = process.env
  return { PATH, HOME, LANG, ...(TMPDIR !== undefined && { TMPDIR }) }
}

/** What the process writes, line by line. */
function listenTo(child: ChildProcess): { lines: string[]; said: DemoServer['said'] } {
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
  const said = async (words: RegExp): Promise<RegExpExecArray> => {
    for (let read = 0; ; ) {
      for (; read < lines.length; read += 1) {
        const found = words.exec(lines[read] ?? '')
        if (found !== null) return found
      }
      const ended = exited.then(() => Promise.reject(new Error(`the server ended, it said:\n${lines.join('\n')}`)))
      await Promise.race([once(events, 'line'), ended])
    }
  }
  return { lines, said }
}

async function stop(child: ChildProcess, place: AsyncDisposable): Promise<void> {
  if (child.exitCode === null && child.signalCode === null) {
    const ended = once(child, 'exit')
    child.kill('SIGTERM')
    await ended
  }
  await place[Symbol.asyncDispose]()
}
