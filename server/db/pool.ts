import { setTimeout as wait } from 'node:timers/promises'
import pg from 'pg'
import type { Log } from '#server/log.ts'
import { type NamedValues, numberValues } from './named-values.ts'
import { Outages, unheardOutages } from './outages.ts'

/** A query with a name is prepared once per connection. Values are bound, never spliced: by place (`$1`) or by name (`$userId`). */
export type Query = {
  name?: string
  text: string
  values?: readonly unknown[] | NamedValues
  /** How long its answer is waited for, when nobody waits for it in turn; otherwise ANSWER_LIMIT_MS. */
  limitMs?: number
}

/** What queries.ts needs: a pool or an open transaction. */
export type Db = {
  query<Row>(query: Query): Promise<{ rows: Row[]; rowCount: number }>
}

export type PoolOptions = {
  /** `postgres://…`; a folder as `host` means a Unix socket. */
  connectionString: string
  maxConnections: number
  applicationName: string
  log: Log
  /** Whole numbers of 64 bits come as text: for a library that writes rows as JSON, which knows no bigint. */
  bigintAsText?: boolean
  /** Instead of ANSWER_LIMIT_MS. */
  answerLimitMs?: number
  /** PostgreSQL refuses every change, but in a transaction that asks for more. */
  readOnly?: boolean
  /** Those of another pool on the same database. */
  outages?: Outages
}

/** After this long without a free connection the caller gets 503, not a queue without end. */
const CONNECT_TIMEOUT_MS = 5_000
/** No statement of ours takes this long; one that does is a fault to see, not to wait for. */
const STATEMENT_TIMEOUT_MS = 15_000
/**
 * A PostgreSQL that is frozen, or behind a network that swallows everything, does not keep to its own limit. Whoever waits is
 * told by then that it is away, and the connection is thrown away: what became of the statement is unknown.
 */
const ANSWER_LIMIT_MS = 5_000
/** For statements of loops and jobs: PostgreSQL's own limit comes first. */
export const SLOW_LIMIT_MS = STATEMENT_TIMEOUT_MS + 1_000
/** A server that does not hang up by then is not waited for. */
const CLOSE_TIMEOUT_MS = 2_000

const INT8_OID = 20

/**
 * Needs a megabyte of new pages where the tables stand, and leaves nothing behind. What the disk has left in files that exist
 * would let a smaller write through.
 */
const WRITE_THAT_NEEDS_SPACE = `SET LOCAL temp_tablespaces = ''; CREATE TEMP TABLE write_probe ON COMMIT DROP AS
  SELECT repeat(md5(n::text), 60) AS filler FROM generate_series(1, 512) n`

/** https://www.postgresql.org/docs/current/errcodes-appendix.html */
const DEADLOCK_DETECTED = '40P01'
export const MAX_ATTEMPTS = 3
/** Run again at once, the one that was undone could take its first row before the other, woken just now, does. */
export const DEADLOCK_PAUSE_MS = 50

/**
 * The connection pool. `bigint` columns arrive as BigInt: money is never a float.
 * A lost server is not fatal: idle connections that break are dropped, and the next query opens a new one.
 */
export class Pool implements Db, AsyncDisposable {
  readonly pg: pg.Pool
  readonly options: PoolOptions
  readonly outages: Outages
  #probing: Promise<boolean> | null = null
  /** Of each connection that is not closed yet: when it is. */
  readonly #closed = new Set<Promise<unknown>>()

  constructor(options: PoolOptions) {
    this.options = options
    // Where writes are refused on purpose, that is none.
    this.outages = options.outages ?? (options.readOnly === true ? unheardOutages() : new Outages(options.log))
    this.pg = new pg.Pool({
      connectionString: options.connectionString,
      max: options.maxConnections,
      application_name: options.applicationName,
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
      statement_timeout: STATEMENT_TIMEOUT_MS,
      query_timeout: options.answerLimitMs ?? ANSWER_LIMIT_MS,
      keepAlive: true,
      ...(options.readOnly === true && { options: '-c default_transaction_read_only=on' }),
      ...(options.bigintAsText !== true && { types: { getTypeParser } }),
    })
    // Without these listeners a stopped PostgreSQL would end the process. The pool speaks only for idle connections;
    // the one on each connection also hears of a loss between the statements of a transaction, and does the logging.
    this.pg.on('connect', (client) => {
      const ended = new Promise((resolve) => client.once('end', resolve))
      const closed: Promise<unknown> = ended.finally(() => this.#closed.delete(closed))
      this.#closed.add(closed)
      client.on('error', (error) => {
        if (!this.outages.failed(error)) options.log.warn({ error }, 'a database connection was lost')
      })
    })
    this.pg.on('error', () => undefined)
  }

  /**
   * One statement, a transaction of its own. When PostgreSQL ends it because it and another waited for each other, it has
   * been undone whole and is run again after a pause, which lets the other one through.
   */
  async query<Row>(query: Query): Promise<{ rows: Row[]; rowCount: number }> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        const result = await run<Row>(this.pg, query)
        this.outages.answered()
        return result
      } catch (error) {
        this.outages.failed(error)
        if (!isDeadlock(error) || attempt === MAX_ATTEMPTS) throw error
        await wait(DEADLOCK_PAUSE_MS)
      }
    }
  }

  /** Whether writes are taken: true without a question while none was refused, else a write that needs space is tried. */
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

  /** pg says that it has ended while its connections still close: a PostgreSQL that is stopped then would break them. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.pg.end()
    const late = new AbortController()
    const limit = wait(CLOSE_TIMEOUT_MS, undefined, { signal: late.signal }).catch(() => undefined)
    await Promise.race([Promise.all(this.#closed), limit])
    late.abort()
  }
}

export function isDeadlock(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code === DEADLOCK_DETECTED
}

/** Runs one query on anything of pg that can. */
export async function run<Row>(
  client: Pick<pg.ClientBase | pg.Pool, 'query'>,
  query: Query,
): Promise<{ rows: Row[]; rowCount: number }> {
  // pg's types lack the limit of one query.
  const config: pg.QueryConfig & { query_timeout?: number } = boundTo(query)
  if (query.name !== undefined) config.name = query.name
  if (query.limitMs !== undefined) config.query_timeout = query.limitMs
  const result = await client.query(config)
  // pg types rows as `any`; the caller of a query states the row beside its SQL.
  return { rows: result.rows as Row[], rowCount: result.rowCount ?? 0 }
}

function boundTo({ name, text, values }: Query): { text: string; values?: unknown[] } {
  if (values === undefined) return { text }
  if (isByPlace(values)) return { text, values: [...values] }
  return numberValues(name, { text, values })
}

/** Array.isArray does not know readonly arrays. */
function isByPlace(values: readonly unknown[] | NamedValues): values is readonly unknown[] {
  return Array.isArray(values)
}

function getTypeParser(oid: number, format?: 'text' | 'binary'): (value: string) => unknown {
  if (oid === INT8_OID) return (value) => BigInt(value)
  return format === 'binary' ? pg.types.getTypeParser(oid, 'binary') : pg.types.getTypeParser(oid, 'text')
}
