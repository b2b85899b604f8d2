import { setTimeout as wait } from 'node:timers/promises'
import type pg from 'pg'
import { isReadOnly, isSilent } from './constraint.ts'
import { type Db, DEADLOCK_PAUSE_MS, hasQueued, isDeadlock, MAX_ATTEMPTS, type Pool, type Query, run } from './pool.ts'

/** Runs `work` in a transaction, and again after a deadlock, so `work` must make no outside call. */
export async function transaction<T>(pool: Pool, work: (tx: Db) => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await tryTransaction(pool, work)
    } catch (error) {
      if (!isDeadlock(error) || attempt === MAX_ATTEMPTS) throw error
      await wait(DEADLOCK_PAUSE_MS)
    }
  }
}

/** Runs reads in a transaction that sees a single moment and changes nothing. */
export async function snapshot<T>(pool: Pool, work: (tx: Db) => Promise<T>): Promise<T> {
  return tryTransaction(pool, work, 'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY')
}

async function tryTransaction<T>(pool: Pool, work: (tx: Db) => Promise<T>, begin = 'BEGIN'): Promise<T> {
  const client = await pool.pg.connect().catch((error: unknown) => {
    pool.failed(error)
    throw error
  })
  let open = true
  let broken: Error | undefined
  let queuesJobs = false
  const tx: Db = {
    query: async <Row>(query: Query) => {
      if (!open) throw new Error('query after the end of its transaction')
      const result = await run<Row>(client, query, pool.options)
      queuesJobs ||= hasQueued(query, result.rows)
      return result
    },
  }
  try {
    await client.query(begin)
    const result = await work(tx)
    open = false
    await client.query('COMMIT')
    pool.outages.answered()
    if (queuesJobs) pool.queued?.()
    return result
  } catch (error) {
    open = false
    pool.failed(error)
    broken = isUnfit(error) ? new Error('the connection is unfit', { cause: error }) : await rollBack(client)
    throw error
  } finally {
    client.release(broken)
  }
}

/** A connection that is silent or to a stand-by must not return to the pool. */
function isUnfit(error: unknown): boolean {
  return isSilent(error) || isReadOnly(error)
}

/** Rolls a transaction back. If that fails, drops the connection, so that no open transaction gets into the pool. */
async function rollBack(client: pg.PoolClient): Promise<Error | undefined> {
  return client.query('ROLLBACK').then(
    () => undefined,
    (failure: Error) => failure,
  )
}

class Rehearsed<T> extends Error {
  readonly result: T

  constructor(result: T) {
    super('rehearsed')
    this.result = result
  }
}

/** Runs `work` in a transaction with a commit's checks, and rolls it back. Works even on a read-only pool. */
export async function rehearsal<T>(pool: Pool, work: (tx: Db) => Promise<T>): Promise<T> {
  let rehearsed: Rehearsed<T> | undefined
  try {
    return await transaction(pool, async (tx) => {
      await tx.query({ text: 'SET TRANSACTION READ WRITE' })
      const result = await work(tx)
      await tx.query({ text: 'SET CONSTRAINTS ALL IMMEDIATE' })
      rehearsed = new Rehearsed(result)
      throw rehearsed
    })
  } catch (error) {
    if (rehearsed !== undefined && error === rehearsed) return rehearsed.result
    throw error
  }
}
