import type { Clock, Random } from '#server/clock.ts'
import type { Config } from '#server/config.ts'
import type { Pool } from '#server/db/pool.ts'
import type { CatalogIndex } from '#server/features/catalog/catalog-index.ts'
import type { Log } from '#server/log.ts'
import type { Metrics } from '#server/http/metrics.ts'
import type { Realtime } from '#server/realtime/realtime.ts'
import type { SupplierRegistry } from '#server/suppliers/registry.ts'

/** Everything a verb works with, built once in main.ts and passed in first. Tests build one with their own clock and suppliers. */
export type Context = {
  config: Config
  /** Signs and encrypts; never logged. */
  secretKey: string
  clock: Clock
  random: Random
  log: Log
  db: Pool
  metrics: Metrics
  catalog: CatalogIndex
  suppliers: SupplierRegistry
  realtime: Realtime
  /** Set by `cli buying:stop`, seen within a second. */
  buying: { stopped: boolean }
  /** Activations this process is asking suppliers for right now: the sweeper leaves them alone. */
  reserving: Set<bigint>
}
