import type { Background } from './background.ts'
import type { Random, ServiceClock } from './clock.ts'
import type { Config, ServiceSecrets } from './config/config.ts'
import type { Pool } from './db/pool.ts'
import type { ClientAddress } from './http/door/client-address.ts'
import type { Metrics } from './http/door/metrics.ts'
import type { Log } from './log.ts'
import type { Memory } from './memory.ts'
import type { Realtime } from './realtime/realtime.ts'
import type { Redis } from './redis/redis.ts'
import type { Replica } from './replica/replica.ts'

/** The dependencies that every module uses. A module stores its own state in `memory`, through `perContext`. */
export type Context = {
  config: Config
  secrets: ServiceSecrets
  clock: ServiceClock
  random: Random
  log: Log
  db: Pool
  memory: Memory
  metrics: Metrics
  clients: ClientAddress
  realtime: Realtime
  background: Background
  /** The Redis that the nodes of one database share; null for a node that serves alone. */
  redis: Redis | null
  /** The stand-bys that may be read; null without `DATABASE_REPLICA_URL`. */
  replica: Replica | null
}
