import type { DatabaseConfig } from '#server/house/config/config.ts'
import { hostUrls } from '#server/house/db/hosts/host-urls.ts'
import type { Log } from '#server/house/log.ts'
import { type Renewal, Renewals } from './renewals.ts'
import { StandBy, type StandByOptions } from './stand-by.ts'

/** Opens the configured stand-bys, without waiting for a connection. Returns null if none is configured. */
export function openReplica(config: DatabaseConfig, log: Log): Replica | null {
  const { databaseReplicaUrl: connectionString, maxConnections, preparedStatements } = config
  return connectionString === null ? null : new Replica({ connectionString, maxConnections, preparedStatements, log })
}

/** The stand-bys of the primary that may be read, one for each host of `DATABASE_REPLICA_URL`. */
export class Replica implements AsyncDisposable {
  readonly standBys: readonly StandBy[]
  readonly renewals = new Renewals()

  constructor(options: StandByOptions) {
    this.standBys = hostUrls(options.connectionString).map(
      (connectionString) => new StandBy({ ...options, connectionString }),
    )
  }

  noteRenewal(renewal: Renewal): void {
    this.renewals.note(renewal)
  }

  async look(now: () => Date): Promise<void> {
    await Promise.all(this.standBys.map((standBy) => standBy.look(this.renewals, now)))
  }

  /** Returns the stand-by that a reader reads. It stays the same for a reader, so that no page is older than the last. */
  choose(readerId: number): StandBy | undefined {
    const fit = this.standBys.filter(({ isRead }) => isRead)
    return fit[readerId % fit.length]
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.standBys.map((standBy) => standBy[Symbol.asyncDispose]()))
  }
}
