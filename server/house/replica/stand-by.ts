import pg from 'pg'
import { SECOND } from '#contract/time.ts'
import { isDatabaseAway, isDatabaseError, isReadOnly } from '#server/house/db/constraint.ts'
import { UNHEARD, unheardOutages } from '#server/house/db/outages.ts'
import { type Db, Pool, type PoolOptions, type Query } from '#server/house/db/pool.ts'
import { snapshot } from '#server/house/db/transaction.ts'
import type { Renewals } from './renewals.ts'

/** No data that is older is read. The mark of a browser that wrote lasts longer (fresh.ts). */
export const MOST_BEHIND_MS = 2 * SECOND
/** A stand-by that was left must be this near before it is read again, so that it is not left again at once. */
const NEAR_MS = SECOND
const ANSWER_LIMIT_MS = 3 * SECOND
const CONNECT_LIMIT_MS = SECOND
/** The looks of a node's first seconds, which tell of no trouble. */
const LOOKS_AT_START = 6
/** PostgreSQL ends a slow read before we give it up, so that a single long list takes the stand-by from nobody else. */
const STATEMENT_LIMIT_MS = ANSWER_LIMIT_MS - SECOND / 2

export type StandByOptions = Pick<PoolOptions, 'connectionString' | 'maxConnections' | 'log' | 'preparedStatements'>

class TooFarBehind extends Error {}

/** A stand-by of the primary, which answers reads while it is near enough. */
export class StandBy implements AsyncDisposable {
  /** The host and port, for people. */
  readonly place: string
  /** True while reads may come here. A failed read ends it at once; the next good look begins it again. */
  isRead = false
  /** The age of the data at the last look; null while the stand-by does not answer. */
  behindMs: number | null = null
  readonly #pool: Pool
  readonly #options: StandByOptions
  #isTold = false
  #looks = 0

  constructor(options: StandByOptions) {
    const { host, port } = new pg.Client(options.connectionString)
    this.place = `${host}:${port}`
    this.#options = options
    this.#pool = new Pool({
      ...options,
      applicationName: 'ringpost replica',
      answerLimitMs: ANSWER_LIMIT_MS,
      connectLimitMs: CONNECT_LIMIT_MS,
      statementLimitMs: STATEMENT_LIMIT_MS,
      // A lost connection costs nobody an answer, and `look` tells of a stand-by that is away.
      log: UNHEARD,
      outages: unheardOutages(),
    })
  }

  get db(): Db {
    return this.#pool
  }

  /** Looks whether the stand-by may be read. Logs once that it may not, and once that it may again. */
  async look(renewals: Renewals, now: () => Date): Promise<void> {
    const { log } = this.#options
    let reason: unknown = 'it is too far behind, or no stand-by of this database'
    this.behindMs = await renewals.behindMs(this.#pool, now).catch((error: unknown) => {
      reason = error
      return null
    })
    const mostMs = this.isRead ? MOST_BEHIND_MS : NEAR_MS
    this.isRead = this.behindMs !== null && this.behindMs <= mostMs
    this.#looks += 1
    // A node that starts has not renewed itself yet.
    if (this.isRead !== this.#isTold || (!this.isRead && this.#looks <= LOOKS_AT_START)) return
    this.#isTold = !this.isRead
    if (this.isRead) log.warn({ standBy: this.place }, 'a stand-by of the database is read again')
    else log.warn({ standBy: this.place, reason: String(reason) }, 'a stand-by of the database is not read')
  }

  /** Reads what the stand-by has at one moment. Throws if that moment is too far in the past. */
  async read<T>(renewals: Renewals, now: () => Date, work: (db: Db) => Promise<T>): Promise<T> {
    return snapshot(this.#pool, async (tx) => {
      // The renewal is of the same moment as all that `work` reads, whichever server a pooler has chosen.
      if ((await renewals.behindMs(tx, now)) > MOST_BEHIND_MS) throw new TooFarBehind()
      return work(oneByOne(tx))
    })
  }

  /** Records a failed read. Returns true if the primary may answer it, as after a conflict with the replay. */
  failed(error: unknown): boolean {
    // A statement that writes is a mistake of ours, which the primary must not hide.
    if (isReadOnly(error)) return false
    const isLeft = error instanceof TooFarBehind || isDatabaseAway(error)
    if (isLeft) this.isRead = false
    return isLeft || isDatabaseError(error)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#pool[Symbol.asyncDispose]()
  }
}

/** Sends statements one after another, because a single connection takes them all. */
function oneByOne(tx: Db): Db {
  let last: Promise<unknown> = Promise.resolve()
  return {
    query: <Row>(query: Query) => {
      const next = last.then(() => tx.query<Row>(query))
      last = next.catch(() => undefined)
      return next
    },
  }
}
