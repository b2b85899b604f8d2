import pg from 'pg'
import { Pool, type PoolOptions, type Query } from '#server/house/db/pool.ts'

export const FAULTS = [
  'killed before it',
  'killed after it',
  'answer lost',
  'deadlock',
  'serialisation failure',
  'disk full',
] as const
export type Fault = (typeof FAULTS)[number]

/** PostgreSQL's error codes: https://www.postgresql.org/docs/current/errcodes-appendix.html */
const SQLSTATES = { deadlock: '40P01', 'serialisation failure': '40001', 'disk full': '53100' } as const

export type Sent = { name: string | null; text: string }

type Config = string | Query
type Send = (config: Config) => Promise<pg.QueryResult>
/** A planned fault. `at` is a statement's number, or a name for the first statement with that name. */
export type Planned = { at: number | string; fault: Fault }

/**
 * A pool whose statements fail as planned. Statements are counted where they leave the process, with BEGIN and COMMIT.
 * So the real retry of `Pool.query` and the real rollback of `transaction` are tested.
 */
export class FaultyPool {
  readonly pool: Pool
  /** Resolves when the simulated process has been killed. Calls that were running then never settle. */
  readonly killed: Promise<void>
  sent: Sent[] = []
  happened = false
  readonly #say: () => void
  readonly #watcher: Pool
  readonly #clients = new Set<pg.PoolClient>()
  #counts = false
  #spares = false
  #planned: Planned | null = null
  #dead = false

  /** The parameter `watcher` is a second pool on the same database, without faults. */
  constructor(options: PoolOptions, watcher: Pool) {
    const { promise, resolve } = Promise.withResolvers<void>()
    this.killed = promise
    this.#say = resolve
    this.#watcher = watcher
    this.pool = new Pool(options)
    this.pool.pg.on('connect', (client) => this.#follow(client))
    this.#route(this.pool.pg)
  }

  get isDead(): boolean {
    return this.#dead
  }

  listen(): void {
    this.plan(null)
  }

  /** Plans one fault, or none, and counts statements from 0 again. */
  plan(planned: Planned | null): void {
    this.sent = []
    this.happened = false
    this.#planned = planned
    this.#counts = true
  }

  rest(): void {
    this.#counts = false
    this.#planned = null
  }

  /** Runs work without faults, on the connections of `watcher`, because its statements are already prepared there. */
  async spared(work: () => Promise<void>): Promise<void> {
    this.#spares = true
    try {
      await work()
    } finally {
      this.#spares = false
    }
  }

  /** Kills the simulated process: its connections are cut, and its later statements are never answered. */
  async kill(): Promise<void> {
    this.#dead = true
    await this.#cut([...this.#clients])
    this.#say()
  }

  /** Replaces `query` and `connect` of a `pg.Pool` by methods that count statements. */
  #route(pool: pg.Pool): void {
    const connect = pool.connect.bind(pool)
    const routed = {
      connect: async () => {
        if (this.#dead) return never<pg.PoolClient>()
        return this.#spares ? this.#watcher.pg.connect() : connect()
      },
      query: async (config: Config) => {
        const client = await routed.connect()
        let broken: true | undefined
        try {
          return await client.query(config as never)
        } catch (error) {
          if (!(error instanceof pg.DatabaseError)) broken = true
          throw error
        } finally {
          client.release(broken)
        }
      },
    }
    Object.assign(pool, routed)
  }

  #follow(client: pg.PoolClient): void {
    this.#clients.add(client)
    client.once('end', () => this.#clients.delete(client))
    // The cast is safe: `Pool` and `transaction` call `query` only with a text or a config object, and expect a
    // promise.
    const send = client.query.bind(client) as unknown as Send
    Object.assign(client, { query: (config: Config) => this.#run(client, send, config) })
  }

  async #run(client: pg.PoolClient, send: Send, config: Config): Promise<pg.QueryResult> {
    if (this.#dead) return never()
    const fault = this.#faultOf(config)
    if (fault === null) return this.#alive(send(config))
    this.happened = true
    switch (fault) {
      case 'killed before it':
        await this.kill()
        return never()
      case 'killed after it':
        await send(config).catch(ignore)
        await this.kill()
        return never()
      case 'answer lost':
        await send(config).catch(ignore)
        await this.#cut([client])
        throw new Error('Connection terminated unexpectedly')
      default:
        // PostgreSQL itself raises the error, so that the transaction is really aborted.
        return this.#alive(send(`DO $$ BEGIN RAISE 'planted' USING ERRCODE = '${SQLSTATES[fault]}'; END $$`))
    }
  }

  /** Passes an answer on while the simulated process lives. A killed process gets neither answers nor errors. */
  async #alive<T>(answer: Promise<T>): Promise<T> {
    try {
      const result = await answer
      return this.#dead ? never() : result
    } catch (error) {
      if (this.#dead) return never()
      throw error
    }
  }

  #faultOf(config: Config): Fault | null {
    if (!this.#counts) return null
    const { name, text } = typeof config === 'string' ? { text: config } : config
    this.sent.push({ name: name ?? null, text })
    const planned = this.#planned
    if (planned === null || (planned.at !== name && planned.at !== this.sent.length - 1)) return null
    this.#planned = null
    return planned.fault
  }

  /** Breaks connections and waits until PostgreSQL has noticed, because only then it releases their locks. */
  async #cut(clients: readonly pg.PoolClient[]): Promise<void> {
    const backends = clients.map((client) => {
      // The types of pg lack `connection` and `processID`.
      const { connection, processID } = client as unknown as {
        connection: { stream: { destroy(): void } }
        processID: number
      }
      connection.stream.destroy()
      return processID
    })
    const text = 'SELECT count(*)::integer AS left FROM pg_stat_activity WHERE pid = ANY ($1)'
    for (let look = 0; look < MAX_LOOKS; look += 1) {
      const { rows } = await this.#watcher.query<{ left: number }>({ text, values: [backends] })
      if (rows[0]?.left === 0) return
    }
    throw new Error('PostgreSQL goes on with connections that were cut')
  }
}

const MAX_LOOKS = 10_000

function never<T>(): Promise<T> {
  return new Promise<T>(() => undefined)
}

const ignore = (): undefined => undefined
