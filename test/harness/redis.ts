import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'
import { freePort } from './free-port.ts'
import { temporaryFolder } from './temporary-folder.ts'

export type RedisServer = AsyncDisposable & {
  port: number
  /** The address for `REDIS_URL`. */
  url: string
  /** Freezes the server: its connections stay open and silent. */
  freeze(): void
  thaw(): void
  kill(): Promise<void>
  /** Sends one command and returns what redis-cli prints. */
  ask(...words: string[]): Promise<string>
  /** Starts the server again on its port, with no data. */
  start(): Promise<void>
}

const run = promisify(execFile)

/** Starts Debian's redis-server on loopback, without data. `settings` are further arguments of the program. */
export async function startRedis(
  program: string,
  settings: readonly string[] = [],
  { sentinel }: { sentinel?: string } = {},
): Promise<RedisServer> {
  await using stack = new AsyncDisposableStack()
  const folder = stack.use(await temporaryFolder())
  const port = await freePort()
  const place = ['--port', String(port), '--bind', '127.0.0.1', '--dir', folder.root]
  const args = sentinel === undefined ? [...place, '--save', '', ...settings] : [sentinel, '--sentinel', ...place]
  let child = await launch(program, args)
  const kill = async () => {
    const ended = child.exitCode === null && child.signalCode === null ? once(child, 'exit') : undefined
    child.kill('SIGKILL')
    await ended
  }
  stack.defer(kill)
  const running = stack.move()
  return {
    port,
    url: `redis://127.0.0.1:${port}`,
    freeze: () => child.kill('SIGSTOP'),
    thaw: () => child.kill('SIGCONT'),
    kill,
    ask: async (...words) => (await run('redis-cli', ['-p', String(port), ...words])).stdout,
    async start() {
      child = await launch(program, args)
    },
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  }
}

async function launch(program: string, args: readonly string[]): Promise<ChildProcess> {
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'ignore'] })
  const said: string[] = []
  for await (const line of createInterface(child.stdout)) {
    said.push(line)
    if (line.includes('Ready to accept connections') || line.includes('Sentinel ID is')) {
      child.stdout.resume()
      return child
    }
  }
  throw new Error(`Redis does not start: ${said.join('\n')}`)
}
