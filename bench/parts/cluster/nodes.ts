import { randomBytes } from 'node:crypto'
import { findProgram } from '#test/harness/programs.ts'
import { startRedis } from '#test/harness/redis.ts'
import { addBuyers, type Buyer } from '../people.ts'
import { type House, openHouse, openService, reopenService, type Service } from '../temporary-house.ts'

/** PostgreSQL plans a statement anew in its first calls on a connection, so all set-ups have as many connections. */
const DATABASE_CONNECTIONS = 24

/** A PostgreSQL, a Redis and people, for any number of nodes. */
export type Cluster = { house: House; redisUrl: string; redisPid: number; secretKey: string; buyers: Buyer[] }

export async function openCluster(stack: AsyncDisposableStack, buyers: number): Promise<Cluster> {
  const program = findProgram('redis-server')
  if (program === undefined) throw new Error('redis-server is not installed')
  const redis = stack.use(await startRedis(program))
  const redisPid = Number(/process_id:(\d+)/.exec(await redis.ask('info', 'server'))?.[1])
  const house = await openHouse(stack)
  const secretKey = randomBytes(32).toString('hex')
  await using first = new AsyncDisposableStack()
  const { db } = await openService(first, house, { name: 'cluster', environment: { SECRET_KEY: secretKey } })
  return { house, redisUrl: redis.url, redisPid, secretKey, buyers: await addBuyers(db, buyers) }
}

/** Starts nodes of one database. No nodes means one without Redis. */
export async function openNodes(stack: AsyncDisposableStack, cluster: Cluster, nodes: number): Promise<Service[]> {
  const environment = {
    SECRET_KEY: cluster.secretKey,
    MAX_OPEN_NUMBERS: '1000000',
    DATABASE_CONNECTIONS: String(DATABASE_CONNECTIONS / Math.max(1, nodes)),
    ...(nodes > 0 && { REDIS_URL: cluster.redisUrl }),
  }
  return Promise.all(
    Array.from({ length: Math.max(1, nodes) }, () =>
      reopenService(stack, cluster.house, { name: 'cluster', environment }),
    ),
  )
}
