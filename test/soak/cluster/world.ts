import { Pool } from '#server/house/db/pool.ts'
import { listNodes } from '#server/house/nodes/queries.ts'
import { recordingLog } from '#test/harness/recording-log.ts'
import { SECRET_KEY } from './furnish.ts'
import { openNetwork } from './machines.ts'
import {
  type NodeMachine,
  openNodeMachine,
  type RedisMachine,
  startBalancer,
  startRedisMachine,
} from './node-machines.ts'
import { type PostgresMachines, startPostgresMachines } from './postgres-machines.ts'
import { until } from './wait.ts'

const NODES = 3
const STEADY_LIMIT_MS = 240_000
const NODES_LISTED = 20
/** The five works, and the links of two suppliers and of the sandbox's. */
const LEASES = 8

export type World = {
  /** The address of HAProxy. */
  url: string
  postgres: PostgresMachines
  redis: RedisMachine
  nodes: NodeMachine[]
  pool: Pool
  /** Waits until all machines work again: one primary with its stand-by, all nodes, every lease with a living node. */
  steady(): Promise<void>
}

/** Starts machines of etcd, PostgreSQL, Redis and the nodes. `furnish` fills the database before the nodes start. */
export async function startWorld(
  folder: string,
  { isSynchronous, furnish }: { isSynchronous: boolean; furnish(pool: Pool, databaseUrl: string): Promise<void> },
): Promise<World> {
  await openNetwork()
  const postgres = await startPostgresMachines(folder, { isSynchronous })
  const redis = await startRedisMachine(folder)
  const options = {
    connectionString: postgres.url,
    maxConnections: 3,
    applicationName: 'onlooker',
    log: recordingLog(),
  }
  const pool = new Pool(options)
  await furnish(pool, postgres.url)
  const url = await startBalancer(NODES, folder)
  const settings = {
    DATABASE_URL: postgres.url,
    REDIS_URL: `redis://${redis.machine.address}:6379`,
    PUBLIC_URL: url,
    SECRET_KEY,
    SMTP_URL: 'smtp://127.0.0.1:1',
    EARLY_CANCEL_SECONDS: '0',
    API_REQUESTS_PER_SECOND: '10000',
  }
  const nodes: NodeMachine[] = []
  for (let place = 0; place < NODES; place += 1) nodes.push(await openNodeMachine(place, settings, folder))
  const held = async () => {
    const living = (await listNodes(pool, NODES_LISTED)).filter(({ ended_at: endedAt }) => endedAt === null)
    return { count: living.length, leases: living.flatMap(({ leases }) => leases).length }
  }
  let wanted = 0
  const isSteady = async () => {
    const [isWhole, ...ready] = await Promise.all([postgres.isWhole(), ...nodes.map((node) => node.isReady())])
    const { count, leases } = await held()
    return isWhole && ready.every(Boolean) && count === NODES && leases >= wanted
  }
  await until(isSteady, STEADY_LIMIT_MS, 'the cluster does not become steady')
  // The nodes take the leases with their next renewals; all of them are asked for from now on.
  const allHeld = async () => {
    const { leases } = await held()
    return leases >= LEASES && leases
  }
  wanted = await until(allHeld, STEADY_LIMIT_MS, 'the leases are not taken')
  return {
    url,
    postgres,
    redis,
    nodes,
    pool,
    async steady() {
      await until(isSteady, STEADY_LIMIT_MS, 'the cluster does not become steady')
    },
  }
}
