import { setTimeout as wait } from 'node:timers/promises'
import pg from 'pg'
import type { Log } from '#server/house/log.ts'
import { isReadOnly } from './constraint.ts'
import { Primary, PrimaryClient } from './hosts/primary-client.ts'
import { type NamedValues, numberValues } from './named-values.ts'
import { Outages, unheardOutages } from './outages.ts'

/** An SQL statement. Values are bound by position (`$1`) or name (`$userId`), and never spliced into the text. */
export type Query = {
  name?: string
  text: string
  values?: readonly unknown[] | NamedValues
  limitMs?: number
  /** The commit wakes the job workers if the statement returned rows; with `told`, if the `queued` of a row is true. */
  queuesJobs?: true | 'told'
}

export type Db = {
  query<Row>(query: Query): Promise<{ rows: Row[]; rowCount: number }>
}

export type PoolOptions = {
  /**
   * The connection string of PostgreSQL, or of a pooler before it. It may name several hosts. A `host` that is a folder
   * means a Unix socket.
   */
  connectionString: string
  /** The connection string that goes past a pooler, for work that needs a session. Default: `connectionString`. */
  directConnectionString?: string
  /** False sends statements without their names, for a pooler that loses prepared statements. */
  preparedStatements?: boolean
  maxConnections: number
  applicationName: string
  log: Log
  /** Reads `bigint` columns as text, for a library that serialises rows as JSON, because JSON has no bigint. */
  bigintAsText?: boolean
  answerLimitMs?: number
  connectLimitMs?: number
  statementLimitMs?: number
  readOnly?: boolean
  outages?: Outages
}

/**
 * The number of idle connections that stay open; others close after ten seconds. Each new connection costs PostgreSQL a
 * process, and both sides the password handshake.
 */
const KEPT_CONNECTIONS = 2
/** The maximum wait for a connection. A request that waits longer gets 503. */
const CONNECT_TIMEOUT_MS = 5_000
export const STATEMENT_TIMEOUT_MS = 15_000
/**
 * PostgreSQL ends a transaction that gets no statement for this time, such as that of a machine that lost its network.
 * Until then the transaction's row locks stop other nodes.
 */
export const TRANSACTION_IDLE_MS = 10_000
/**
 * A frozen PostgreSQL does not enforce its own statement time-out. After this time the pool drops the connection, and
 * the statement's outcome is unknown.
 */
const ANSWER_LIMIT_MS = 5_000
/** The maximum wait for statements of loops and jobs. PostgreSQL's own statement time-out ends earlier. */
export const SLOW_LIMIT_MS = STATEMENT_TIMEOUT_MS + 1_000
const CLOSE_TIMEOUT_MS = 2_000

const INT8_OID = 20

/** SQL that tests for disk space by writing one megabyte. A smaller write could fit into the free space of files. */
const WRITE_THAT_NEEDS_SPACE = `SET LOCAL temp_tablespaces = ''; CREATE TEMP TABLE write_probe ON COMMIT DROP AS
  SELECT repeat(md5(n::text), 60) AS filler FROM generate_series(1, 512) n`

const DEADLOCK_DETECTED = '40P01'
export const MAX_ATTEMPTS = 3
/** The pause before a deadlocked statement is retried; at once, it could lock its first row again. */
export const DEADLOCK_PAUSE_MS = 50

/** A pool of connections to PostgreSQL. `bigint` columns arrive as BigInt, so that money is never a float. */
export class Pool implements Db, AsyncDisposable {
  readonly pg: pg.Pool
  readonly options: PoolOptions
  readonly outages: Outages
  readonly #primary: Primary
  /** Wakes the job workers of this process; undefined while no worker runs. */
  queued: (() => void) | undefined
  #probing: Promise<boolean> | null = null
  #dropping: Promise<void> | null = null
  readonly #closed = new Set<Promise<unknown>>()

  constructor(options: PoolOptions) {
    this.options = options
    // A read-only pool refuses writes on purpose, so its refusals are not an outage.
    this.outages = options.outages ?? (options.readOnly === true ? unheardOutages() : new Outages(options.log))
    const primary = new Primary(options.connectionString)
    this.#primary = primary
    this.pg = new pg.Pool({
      Client: class extends PrimaryClient {
        constructor(config?: pg.ClientConfig) {
          super(config, primary)
        }
      },
      min: KEPT_CONNECTIONS,
      max: options.maxConnections,
      application_name: options.applicationName,
      connectionTimeoutMillis: options.connectLimitMs ?? CONNECT_TIMEOUT_MS,
      statement_timeout: options.statementLimitMs ?? STATEMENT_TIMEOUT_MS,
      idle_in_transaction_session_timeout: TRANSACTION_IDLE_MS,
      query_timeout: options.answerLimitMs ?? ANSWER_LIMIT_MS,
      keepAlive: true,
      ...(options.readOnly === true && { options: '-c default_transaction_read_only=on' }),
      ...(options.bigintAsText !== true && { types: COLUMN_TYPES }),
    })
    // A stopped PostgreSQL would end the process without these listeners. The pool's listener covers idle connections;
    // a connection's own covers the gaps between the statements of a transaction.
    this.pg.on('connect', (client) => {
      const ended = new Promise((resolve) => client.once('end', resolve))
      const closed: Promise<unknown> = ended.finally(() => this.#closed.delete(closed))
      this.#closed.add(closed)
      client.on('error', (error) => {
        if (!this.failed(error)) options.log.warn({ error }, 'a database connection was lost')
      })
    })
    this.pg.on('error', () => undefined)
  }

  /** Runs one statement. A deadlock rolls it back whole, so it is retried after a pause. */
  async query<Row>(query: Query): Promise<{ rows: Row[]; rowCount: number }> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        const result = await run<Row>(this.pg, query, this.options)
        this.outages.answered()
        if (hasQueued(query, result.rows)) this.queued?.()
        return result
      } catch (error) {
        this.failed(error)
        if (!isDeadlock(error) || attempt === MAX_ATTEMPTS) throw error
        await wait(DEADLOCK_PAUSE_MS)
      }
    }
  }

  /** Records a failed statement. Returns false if the failure says nothing about the database as a whole. */
  failed(error: unknown): boolean {
    const isAway = this.outages.failed(error)
    if (isAway) this.#primary.doubt()
    if (isReadOnly(error) && this.options.readOnly !== true) {
      this.#dropping ??= this.#dropIdle().finally(() => {
        this.#dropping = null
      })
    }
    return isAway
  }

  /** Closes the idle connections, because PostgreSQL became a stand-by, which shows what is old. */
  async #dropIdle(): Promise<void> {
    try {
      for (let left = this.pg.idleCount; left > 0; left -= 1) (await this.pg.connect()).release(true)
    } catch (error) {
      this.options.log.debug({ error }, 'an idle connection was closed already')
    }
  }

  async canWrite(): Promise<boolean> {
    if (!this.outages.refusesWrites) return true
    this.#probing ??= this.#probeWrite().finally(() => {
      this.#probing = null
    })
    return this.#probing
  }

  async #probeWrite(): Promise<boolean> {
    try {
      await this.query({ text: WRITE_THAT_NEEDS_SPACE })
      this.outages.wrote()
      return true
    } catch (error) {
      this.options.log.debug({ error }, 'the database takes no writes yet')
      return false
    }
  }

  /** pg resolves `end` before its connections are closed. If PostgreSQL stopped then, they would fail with an error. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.pg.end()
    const late = new AbortController()
    const limit = wait(CLOSE_TIMEOUT_MS, undefined, { signal: late.signal }).catch(() => undefined)
    await Promise.race([Promise.all(this.#closed), limit])
    late.abort()
  }
}

/** Returns the options of connections that need a session, or that run longer than a pooler should lend one. */
export function directOptions({ options }: Pool): PoolOptions {
  const { connectionString, directConnectionString = connectionString } = options
  return { ...options, connectionString: directConnectionString, preparedStatements: true }
}

export function hasQueued({ queuesJobs }: Query, rows: readonly unknown[]): boolean {
  if (queuesJobs !== 'told') return queuesJobs === true && rows.length > 0
  return rows.some((row) => typeof row === 'object' && row !== null && 'queued' in row && row.queued === true)
}

export function isDeadlock(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code === DEADLOCK_DETECTED
}

export async function run<Row>(
  client: Pick<pg.ClientBase | pg.Pool, 'query'>,
  query: Query,
  { preparedStatements = true }: Pick<PoolOptions, 'preparedStatements'> = {},
): Promise<{ rows: Row[]; rowCount: number }> {
  // The cast adds `query_timeout`, which pg's types lack.
  const config: pg.QueryConfig & { query_timeout?: number } = boundTo(query)
  if (query.name !== undefined && preparedStatements) config.name = query.name
  if (query.limitMs !== undefined) config.query_timeout = query.limitMs
  const result = await client.query(config)
  // The cast is needed because pg types rows as `any`. Callers of `query` state the row's type beside the SQL.
  return { rows: result.rows as Row[], rowCount: result.rowCount ?? 0 }
}

function boundTo({ name, text, values }: Query): { text: string; values?: unknown[] } {
  if (values === undefined) return { text }
  if (isByPlace(values)) return { text, values: [...values] }
  return numberValues(name, { text, values })
}

function isByPlace(values: readonly unknown[] | NamedValues): values is readonly unknown[] {
  return Array.isArray(values)
}

const toBigInt = (value: string) => BigInt(value)

function getTypeParser(oid: number, format?: 'text' | 'binary'): (value: string) => unknown {
  if (oid === INT8_OID) return toBigInt
  return format === 'binary' ? pg.types.getTypeParser(oid, 'binary') : pg.types.getTypeParser(oid, 'text')
}

/** How columns are parsed: a bigint is a bigint. */
export const COLUMN_TYPES = { getTypeParser }
