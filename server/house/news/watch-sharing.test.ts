import { expect, test } from 'vitest'
import { Memory } from '#server/house/memory.ts'
import { nodeOf } from '#server/house/nodes/node.ts'
import { parseRedisAddress } from '#server/house/redis/addresses.ts'
import { connectRedis } from '#server/house/redis/redis.ts'
import { startTestApp } from '#test/harness/harness.ts'
import { requireProgram } from '#test/harness/programs.ts'
import { recordingLog } from '#test/harness/recording-log.ts'
import { startRedis } from '#test/harness/redis.ts'
import { watchSharing } from './watch-sharing.ts'

const program = requireProgram('redis-server')

test.runIf(program)(
  'nodes with different prefixes are told of after three looks, once, and also of the end',
  async () => {
    await using t = await startTestApp()
    await using server = await startRedis(program ?? '')
    await using stack = new AsyncDisposableStack()
    const address = parseRedisAddress(server.url)
    if (address === undefined) throw new Error('Redis has no address')
    const log = recordingLog()
    const join = (prefix: string) => {
      const redis = stack.use(connectRedis({ address, prefix, log: recordingLog() }))
      const ctx = { ...t.ctx, log, memory: new Memory() }
      nodeOf(ctx).livingNodes = 2
      return { redis, watch: stack.use(watchSharing(ctx, redis)) }
    }
    const first = join('shop:')
    join('other:')
    await expect.poll(() => first.redis.publish('here:{all}', '')).toBe(1)
    const sentences = () => log.lines.map(({ sentence }) => sentence)
    await first.watch.look()
    await first.watch.look()
    expect(sentences()).toEqual([])
    const apart = 'some nodes do not hear this one: they do not reach Redis, or REDIS_URL or REDIS_PREFIX differs'
    await first.watch.look()
    await first.watch.look()
    expect(sentences()).toEqual([apart])
    join('shop:')
    await expect.poll(() => first.redis.publish('here:{all}', '')).toBe(2)
    await first.watch.look()
    await first.watch.look()
    expect(sentences()).toEqual([apart, 'all nodes hear this one again'])
  },
)
