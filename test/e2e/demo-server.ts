import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'

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
}

const ROOT = join(import.meta.dirname, '../..')

export async function startDemoServer(settings: Record<string, string> = {}): Promise<DemoServer> {
  const dataDir = await mkdtemp(join(tmpdir(), 'ringpost-e2e-'))
  const environment = {
    ...environmentOfTests(),
    DEMO: '1',
    DATA_DIR: dataDir,
    PORT: '0',
    REALTIME_PORT: '0',
    ...settings,
  }
  const child = spawn(process.execPath, ['server/main.ts'], { cwd: ROOT, env: environment })
  const lines: string[] = []
  try {
    const { url, realtimePort } = await addresses(child, lines)
    const { apiKey } = JSON.parse(await readFile(join(dataDir, 'demo.json'), 'utf8')) as { apiKey: string }
    return {
      url,
      realtimePort,
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
      [Symbol.asyncDispose]: () => stop(child, dataDir),
    }
  } catch (error) {
    await stop(child, dataDir)
    throw error
  }
}

/** The tests' own environment without the settings a developer may have in theirs. */
function environmentOfTests(): Record<string, string> {
  const { PATH = '', HOME = '', LANG = 'C.UTF-8', TMPDIR } = process.env
  return { PATH, HOME, LANG, ...(TMPDIR !== undefined && { TMPDIR }) }
}

/** Resolves when the process prints where it can be opened; rejects with its words when it ends first. */
async function addresses(child: ChildProcess, lines: string[]): Promise<{ url: string; realtimePort: number }> {
  const { promise, resolve, reject } = Promise.withResolvers<{ url: string; realtimePort: number }>()
  let url: string | undefined
  const read = (line: string): void => {
    lines.push(line)
    url = /Ringpost is running:\s+(\S+)/.exec(line)?.[1] ?? url
    const port = /Live \(Pusher\):\s+port (\d+)/.exec(line)?.[1]
    if (url !== undefined && port !== undefined) resolve({ url, realtimePort: Number(port) })
  }
  for (const stream of [child.stdout, child.stderr]) {
    if (stream !== null) createInterface({ input: stream }).on('line', read)
  }
  child.once('exit', () => reject(new Error(`the server ended before it was ready:\n${lines.join('\n')}`)))
  return promise
}

async function stop(child: ChildProcess, dataDir: string): Promise<void> {
  if (child.exitCode === null && child.signalCode === null) {
    const ended = once(child, 'exit')
    child.kill('SIGTERM')
    await ended
  }
  await rm(dataDir, { recursive: true, force: true })
}
