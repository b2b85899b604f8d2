import { parseRedisAddress } from '#server/house/redis/addresses.ts'
import { connectRedis, type Redis } from '#server/house/redis/redis.ts'
import type { FakeSupplier } from '#test/fakes/fake-supplier.ts'
import { startTestApp, type TestApp } from '#test/harness/harness.ts'
import { recordingLog } from '#test/harness/recording-log.ts'
import { type RedisServer, startRedis } from '#test/harness/redis.ts'

export type TestNodes = AsyncDisposable & {
  redis: RedisServer
  /** Two nodes of one service. */
  a: TestApp
  b: TestApp
  /** A supplier whose messages come to node A. */
  supplier: FakeSupplier
  /** Another connection to the Redis of the nodes. */
  connect(): Redis
}

const PREFIX = 'shop:'

/** Starts two apps on one database, one clock and one real Redis. `program` is redis-server. */
export async function startNodes(
  program: string | undefined,
  options: { environment?: Record<string, string> } = {},
): Promise<TestNodes> {
  await using stack = new AsyncDisposableStack()
  if (program === undefined) throw new Error('redis-server is missing')
  const redis = stack.use(await startRedis(program))
  const address = parseRedisAddress(redis.url)
  if (address === undefined) throw new Error('the address of Redis is wrong')
  const connect = () => stack.use(connectRedis({ address, prefix: PREFIX, log: recordingLog() }))
  const a = stack.use(await startTestApp({ ...options, redis: connect() }))
  const supplier = await a.addFake()
  const b = stack.use(await startTestApp({ ...options, redis: connect(), database: a.database, clock: a.clock }))
  const running = stack.move()
  return {
    redis,
    a,
    b,
    supplier,
    connect: () => running.use(connectRedis({ address, prefix: PREFIX, log: recordingLog() })),
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  }
}
