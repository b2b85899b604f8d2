import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { type AddressInfo, connect as connectSocket, createServer, type Socket } from 'node:net'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { freePort } from '#test/harness/free-port.ts'
import { requireProgram } from '#test/harness/programs.ts'
import { type RecordingLog, recordingLog } from '#test/harness/recording-log.ts'
import { type RedisServer, startRedis } from '#test/harness/redis.ts'
import { temporaryFolder } from '#test/harness/temporary-folder.ts'
import { parseRedisAddress } from './addresses.ts'
import { connectRedis, createScript, type Redis } from './redis.ts'

const program = requireProgram('redis-server')
const COUNT = createScript("return redis.call('INCRBY', KEYS[1], ARGV[1])")

let stack = new AsyncDisposableStack()
beforeEach(() => {
  stack = new AsyncDisposableStack()
})
afterEach(() => stack.disposeAsync())

function connect(url: string, prefix = 'shop:'): Redis & { log: RecordingLog } {
  const address = parseRedisAddress(url)
  if (address === undefined) throw new Error(`${url} is no address of Redis`)
  const log = recordingLog()
  return Object.assign(Object.create(stack.use(connectRedis({ address, prefix, log }))), { log })
}

/** Hears a channel into a list. `missed` is recorded as null. */
async function listen(redis: Redis, channel: string): Promise<{ heard: (string | null)[]; end(): void }> {
  const heard: (string | null)[] = []
  const end = redis.subscribe(channel, { hear: (message) => heard.push(message), missed: () => heard.push(null) })
  await expect.poll(() => heard).toEqual([null])
  return { heard, end }
}

const server = async (settings?: readonly string[]): Promise<RedisServer> => {
  if (program === undefined) throw new Error('redis-server is missing')
  return stack.use(await startRedis(program, settings))
}

test.runIf(program)('two nodes count together, and hear what the other publishes', async () => {
  const { url } = await server()
  const [first, second] = [connect(url), connect(url)]
  const { heard, end } = await listen(second, 'user.7')
  expect(await first.run(COUNT, 'calls', [2])).toBe(2)
  expect(await second.run(COUNT, 'calls', [3])).toBe(5)
  expect(await first.publish('user.7', 'code')).toBe(1)
  expect(await first.publish('user.8', 'code')).toBe(0)
  await expect.poll(() => heard).toEqual([null, 'code'])
  end()
  await expect.poll(() => first.publish('user.7', 'more')).toBe(0)
})

test.runIf(program)('two services on one Redis hear and count apart', async () => {
  const { url } = await server()
  const [ours, theirs] = [connect(url), connect(`${url}/1`, 'other:')]
  await listen(theirs, 'user.7')
  await expect.poll(() => ours.isUp).toBe(true)
  expect(await ours.publish('user.7', 'code')).toBe(0)
  expect(await ours.run(COUNT, 'calls', [1])).toBe(1)
  expect(await theirs.run(COUNT, 'calls', [1])).toBe(1)
})

test.runIf(program)(
  'after a restart of Redis a node subscribes again, and knows that it may have missed some',
  async () => {
    const redis = await server()
    const node = connect(redis.url)
    const { heard } = await listen(node, 'user.7')
    await redis.kill()
    await expect.poll(() => node.isUp).toBe(false)
    expect(await node.run(COUNT, 'calls', [1])).toBeUndefined()
    expect(await node.publish('user.7', 'lost')).toBe(0)
    await redis.start()
    await expect.poll(() => heard, { timeout: 5_000 }).toEqual([null, null])
    await expect.poll(() => node.isUp).toBe(true)
    expect(await node.publish('user.7', 'code')).toBe(1)
    expect(await node.run(COUNT, 'calls', [1])).toBe(1)
    expect(node.log.lines.map(({ sentence }) => sentence)).toEqual([
      'Redis is away: this node goes on alone',
      'Redis is back',
    ])
  },
)

test.runIf(program)('a silent Redis is left, and found again once it answers', async () => {
  const redis = await server()
  // The first node asks nothing, so only the connection of its subscription can notice.
  const [idle, busy] = [connect(redis.url), connect(redis.url)]
  const { heard } = await listen(idle, 'user.7')
  await expect.poll(() => busy.isUp).toBe(true)
  redis.freeze()
  expect(await busy.run(COUNT, 'calls', [1])).toBeUndefined()
  await expect.poll(() => idle.isUp, { timeout: 5_000 }).toBe(false)
  redis.thaw()
  await expect.poll(() => heard, { timeout: 10_000 }).toEqual([null, null])
  await expect.poll(() => busy.run(COUNT, 'calls', [1])).toBe(1)
})

test.runIf(program)('a Redis without memory takes no writes, and the node says so', async () => {
  const { url } = await server(['--maxmemory', '2mb', '--maxmemory-policy', 'noeviction'])
  const node = connect(url)
  await expect.poll(() => node.isUp).toBe(true)
  const FILL = createScript("for i = 1, 200 do redis.call('SET', KEYS[1] .. i, string.rep('x', 20000)) end return 1")
  await node.run(FILL, 'big', [])
  // Redis takes publications meanwhile, which is no end of the trouble.
  for (let times = 0; times < 3; times += 1) {
    expect(await node.run(COUNT, 'calls', [1])).toBeUndefined()
    expect(await node.publish('news', 'one')).toBe(0)
  }
  expect(node.isUp).toBe(true)
  expect(node.log.lines.map(({ sentence }) => sentence)).toEqual([
    'Redis refuses calls or is slow: this node goes on alone',
  ])
})

test.runIf(program)('a call that somebody waits for goes on without a slow Redis, and news do not', async () => {
  const redis = await server()
  const slow = stack.use(await startSlowWire(redis.port))
  const node = connect(`redis://127.0.0.1:${slow.port}`)
  await expect.poll(() => node.isUp).toBe(true)
  expect(await node.runPromptly(COUNT, 'calls', [1])).toBe(1)
  slow.delayMs = 800
  expect(await node.runPromptly(COUNT, 'calls', [1])).toBeUndefined()
  expect(await node.run(COUNT, 'news', [1])).toBe(1)
  slow.delayMs = 0
  // The next calls are counted alone for a while, and do not wait at all.
  expect(await node.runPromptly(COUNT, 'calls', [1])).toBeUndefined()
  expect(node.isUp).toBe(true)
  await expect.poll(() => node.runPromptly(COUNT, 'calls', [1]), { timeout: 10_000 }).toBe(3)
})

/** Starts a wire to Redis that delays the answers. */
async function startSlowWire(redisPort: number): Promise<AsyncDisposable & { port: number; delayMs: number }> {
  const sockets = new Set<Socket>()
  const wire = { port: 0, delayMs: 0 }
  const listener = createServer((ours) => {
    const theirs = connectSocket(redisPort, '127.0.0.1')
    for (const socket of [ours, theirs]) {
      sockets.add(socket)
      socket.on('error', () => undefined)
      socket.on('close', () => {
        for (const one of [ours, theirs]) one.destroy()
      })
    }
    ours.pipe(theirs)
    theirs.on('data', (bytes) => setTimeout(() => ours.write(bytes), wire.delayMs))
  }).listen(0, '127.0.0.1')
  await once(listener, 'listening')
  wire.port = (listener.address() as AddressInfo).port
  return Object.assign(wire, {
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy()
      listener.close()
    },
  })
}

test.runIf(program)('a node that starts without Redis finds it later', async () => {
  const redis = await server()
  await redis.kill()
  const node = connect(redis.url)
  const holds = vi.fn<() => void>()
  node.subscribe('user.7', { hear: () => undefined, missed: holds })
  expect(await node.run(COUNT, 'calls', [1])).toBeUndefined()
  await redis.start()
  await expect.poll(() => holds.mock.calls.length, { timeout: 5_000 }).toBe(1)
})

test.runIf(program)('in a cluster each channel and key is found on its own server', async () => {
  const servers = [
    await clusterServer(0, 5_461),
    await clusterServer(5_462, 10_922),
    await clusterServer(10_923, 16_383),
  ]
  const [first, ...others] = servers
  for (const other of others)
    await first?.ask('CLUSTER', 'MEET', '127.0.0.1', String(other.port), String(other.busPort))
  for (const { ask } of servers)
    await expect.poll(() => ask('CLUSTER', 'INFO'), { timeout: 10_000 }).toMatch(/cluster_state:ok[\s\S]*known_nodes:3/)
  const url = `redis+cluster://${servers.map(({ port }) => `127.0.0.1:${port}`).join(',')}`
  const [teller, hearer] = [connect(url), connect(url)]
  const channels = Array.from({ length: 12 }, (_, at) => `user.${at}`)
  const heard: string[] = []
  for (const channel of channels)
    hearer.subscribe(channel, { hear: (message) => heard.push(message), missed: () => heard.push(`${channel} holds`) })
  await expect.poll(() => heard.length, { timeout: 5_000 }).toBe(12)
  await expect.poll(() => teller.isUp).toBe(true)
  for (const channel of channels) {
    expect(await teller.publish(channel, channel)).toBe(1)
    expect(await teller.run(COUNT, channel, [4])).toBe(4)
  }
  await expect.poll(() => heard.slice(12).sort()).toEqual([...channels].sort())
})

test.runIf(program)('Sentinel tells which server to use, also after a fail-over', async () => {
  const first = await server(['--repl-diskless-sync-delay', '0'])
  const second = await server(['--replicaof', `127.0.0.1 ${first.port}`])
  await expect.poll(() => second.ask('ROLE'), { timeout: 10_000 }).toContain('connected')
  const folder = stack.use(await temporaryFolder())
  await writeFile(folder.path('sentinel.conf'), `sentinel monitor shop 127.0.0.1 ${first.port} 1\n`)
  const sentinel = stack.use(await startRedis(program ?? '', [], { sentinel: folder.path('sentinel.conf') }))
  const node = connect(`redis+sentinel://127.0.0.1:${sentinel.port}/shop`)
  const { heard } = await listen(node, 'user.7')
  await expect
    .poll(() => sentinel.ask('SENTINEL', 'REPLICAS', 'shop'), { timeout: 20_000 })
    .toContain(String(second.port))
  await expect.poll(() => sentinel.ask('SENTINEL', 'FAILOVER', 'shop')).toContain('OK')
  await first.kill()
  await expect.poll(() => heard, { timeout: 20_000 }).toEqual([null, null])
  expect(await second.ask('ROLE')).toContain('master')
  expect(await node.run(COUNT, 'calls', [1])).toBe(1)
})

async function clusterServer(from: number, to: number): Promise<RedisServer & { busPort: number }> {
  const busPort = await freePort()
  const one = await server([
    '--cluster-enabled',
    'yes',
    '--cluster-port',
    String(busPort),
    '--cluster-node-timeout',
    '5000',
  ])
  await one.ask('CLUSTER', 'ADDSLOTSRANGE', String(from), String(to))
  return Object.assign(one, { busPort })
}
