import pg from 'pg'
import { Pool, type PoolOptions, type Query } from '#server/house/db/pool.ts'

/** What becomes of one statement. */
export const FAULTS = [
  'killed before it',
  'killed after it',
  'answer lost',
  'deadlock',
  'serialisation failure',
  'disk full',
] as const
export type Fault = (typeof FAULTS)[number]

/** https://www.postgresql.org/docs/current/errcodes-appendix.html */
const SQLSTATES = { deadlock: '40P01', 'serialisation failure': '40001', 'disk full': '53100' } as const

/** A statement as it was sent: its name where it has one, and its words. */
export type Sent = { name: string | null; text: string }

type Config = string | Query
type Send = (config: Config) => Promise<pg.QueryResult>
/** At the statement with this number, or at the first with this name. */
export type Planned = { at: number | string; fault: Fault }

/**
 * The pool of a service that is to fail. All statements are counted where they leave the process, those inside of
 * transactions and BEGIN and COMMIT too, so that the retry of `Pool.query` and the rollback of `transaction` are the real ones.
 */
export class FaultyPool {
  readonly pool: Pool
  /** Resolves when this process has been killed: whatever it was doing never ends. */
  readonly killed: Promise<void>
  /** What was sent since `listen` or `plan`. */
  sent: Sent[] = []
  /** Whether the planned fault has happened. */
  happened = false
  readonly #say: () => void
  readonly #watcher: Pool
  readonly #clients = new Set<pg.PoolClient>()
  #counts = false
  #spares = false
  #planned: Planned | null = null
  #dead = false

  /** `watcher`: another pool on the same database, which is never faulted. */
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

  /** From here on statements are written down, and nothing goes wrong. */
  listen(): void {
    this.plan(null)
  }

  /** From here on statements are counted from 0, and one of them goes wrong. */
  plan(planned: Planned | null): void {
    this.sent = []
    this.happened = false
    this.#planned = planned
    this.#counts = true
  }

  /** What is sent from here on is not counted, and does not go wrong. */
  rest(): void {
    this.#counts = false
    this.#planned = null
  }

  /**
   * Work in which nothing is to go wrong, on the watcher's connections: those of a process that has just begun would have
   * to plan each statement anew.
   */
  async spared(work: () => Promise<void>): Promise<void> {
    this.#spares = true
    try {
      await work()
    } finally {
      this.#spares = false
    }
  }

  /** The process ends here: its connections are gone, and what it asks from now on is never answered. */
  async kill(): Promise<void> {
    this.#dead = true
    await this.#cut([...this.#clients])
    this.#say()
  }

  /** `pg.Pool.query` and `connect`: the same as theirs, through clients that are counted. */
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
    // pg's overloads: Pool and transaction only ever give a text or a config, and take a promise.
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
        // PostgreSQL says it itself, so that a transaction is broken as by the real failure.
        return this.#alive(send(`DO $$ BEGIN RAISE 'planted' USING ERRCODE = '${SQLSTATES[fault]}'; END $$`))
    }
  }

  /** A process that is killed hears neither answers nor failures. */
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

  /** Breaks connections, and waits until PostgreSQL has seen it: their locks are gone then. */
  async #cut(clients: readonly pg.PoolClient[]): Promise<void> {
    const backends = clients.map((client) => {
      // pg's types lack both.
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
