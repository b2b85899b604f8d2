import { type MainProcess, startMain } from '#test/fakes/main-process.ts'
import { freePort } from '#test/harness/free-port.ts'
import { type RedisServer, startRedis } from '#test/harness/redis.ts'
import { startHaproxy } from './haproxy.ts'

export type NodeProcess = { url: string; process: MainProcess }

export type NodeProcesses = AsyncDisposable & {
  /** The address of HAProxy. */
  url: string
  redis: RedisServer
  nodes: NodeProcess[]
  /** The settings of every node. */
  environment: Record<string, string>
  /** Starts the node of a place again, at its address. */
  start(place: number): Promise<void>
}

/**
 * Starts real processes of the demo behind HAProxy, with one Redis. `settings` name the database and the data folder.
 * `signal` gives a start up.
 */
export async function startNodeProcesses(
  programs: { haproxy: string; redis: string },
  { count, settings, signal }: { count: number; settings: Record<string, string>; signal?: AbortSignal },
): Promise<NodeProcesses> {
  await using stack = new AsyncDisposableStack()
  const redis = stack.use(await startRedis(programs.redis))
  const ports: number[] = []
  for (let place = 0; place < count; place += 1) ports.push(await freePort())
  const proxy = stack.use(await startHaproxy(programs.haproxy, ports))
  const environment = {
    DEMO: '1',
    PUBLIC_URL: proxy.url,
    REALTIME_PORT: '0',
    REALTIME_PUBLIC_URL: proxy.url.replace('http', 'ws'),
    REDIS_URL: redis.url,
    TRUSTED_PROXIES: '127.0.0.1',
    STOP_DELAY_SECONDS: '2',
    ...settings,
  }
  const nodes: NodeProcess[] = []
  const started = new Set<MainProcess>()
  stack.defer(async () => {
    await Promise.all([...started].map((process) => process[Symbol.asyncDispose]()))
  })
  const start = async (place: number) => {
    signal?.throwIfAborted()
    const process = startMain({ ...environment, PORT: String(ports[place]) })
    started.add(process)
    const giveUp = () => process.kill('SIGKILL')
    signal?.addEventListener('abort', giveUp)
    nodes[place] = { process, url: await process.url }
    signal?.removeEventListener('abort', giveUp)
  }
  // The first node fills the demo.
  await start(0)
  await Promise.all(ports.slice(1).map((_, place) => start(place + 1)))
  const running = stack.move()
  return { url: proxy.url, redis, nodes, environment, start, [Symbol.asyncDispose]: () => running.disposeAsync() }
}
