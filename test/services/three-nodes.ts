import { expect } from 'vitest'
import { SECOND } from '#contract/time.ts'
import { nodeOf } from '#server/house/nodes/node.ts'
import { parseRedisAddress } from '#server/house/redis/addresses.ts'
import { connectRedis, type Redis } from '#server/house/redis/redis.ts'
import { startTestApp, type TestApp } from '#test/harness/harness.ts'
import { requireProgram } from '#test/harness/programs.ts'
import { recordingLog } from '#test/harness/recording-log.ts'
import { type RedisServer, startRedis } from '#test/harness/redis.ts'

export type ThreeNodes = AsyncDisposable & { redis: RedisServer; nodes: [TestApp, TestApp, TestApp] }

export const redisProgram = requireProgram('redis-server')

/** Starts three nodes on one Redis. Each has a database of its own, in which the same users have the same ids. */
export async function startThreeNodes(options: Parameters<typeof startTestApp>[0] = {}): Promise<ThreeNodes> {
  if (redisProgram === undefined) throw new Error('redis-server is missing')
  await using stack = new AsyncDisposableStack()
  const redis = stack.use(await startRedis(redisProgram))
  const startNode = async (): Promise<TestApp> => {
    const node = stack.use(await startTestApp({ ...options, redis: stack.use(connectTo(redis)) }))
    nodeOf(node.ctx).livingNodes = 3
    await becomesUp(node)
    return node
  }
  const nodes: ThreeNodes['nodes'] = [await startNode(), await startNode(), await startNode()]
  const running = stack.move()
  return { redis, nodes, [Symbol.asyncDispose]: () => running.disposeAsync() }
}

function connectTo({ url }: RedisServer): Redis {
  const address = parseRedisAddress(url)
  if (address === undefined) throw new Error(`${url} is no address of Redis`)
  return connectRedis({ address, prefix: 'shop:', log: recordingLog() })
}

/** Waits until the node counts together with others again. */
export async function becomesUp({ ctx }: TestApp): Promise<void> {
  await expect.poll(() => ctx.redis?.isUp, { timeout: 10 * SECOND }).toBe(true)
}

/** Asks the nodes in turn, one after the other. */
export async function askInTurn<T>(
  nodes: readonly TestApp[],
  times: number,
  ask: (t: TestApp) => Promise<T>,
): Promise<T[]> {
  const answers: T[] = []
  while (answers.length < times) {
    for (const node of nodes.slice(0, times - answers.length)) answers.push(await ask(node))
  }
  return answers
}
