import { setTimeout as wait } from 'node:timers/promises'
import type pg from 'pg'
import { isSilent } from './constraint.ts'
import { type Db, DEADLOCK_PAUSE_MS, isDeadlock, MAX_ATTEMPTS, type Pool, type Query, run } from './pool.ts'

/**
 * Runs `work` in one transaction and commits when it resolves. The handle given to `work` is dead afterwards: a query
 * that outlives its transaction throws instead of running outside it. No outside call belongs inside: a deadlock undoes
 * the transaction whole, and `work` is run again, as `Pool.query` runs a statement again.
 */
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

async function tryTransaction<T>(pool: Pool, work: (tx: Db) => Promise<T>): Promise<T> {
  const client = await pool.pg.connect().catch((error: unknown) => {
    pool.outages.failed(error)
    throw error
  })
  let open = true
  let broken: Error | undefined
  const tx: Db = {
    query: async <Row>(query: Query) => {
      if (!open) throw new Error('query after the end of its transaction')
      return run<Row>(client, query)
    },
  }
  try {
    await client.query('BEGIN')
    const result = await work(tx)
    open = false
    await client.query('COMMIT')
    pool.outages.answered()
    return result
  } catch (error) {
    open = false
    pool.outages.failed(error)
    broken = isSilent(error) ? new Error('the connection is silent', { cause: error }) : await rollBack(client)
    throw error
  } finally {
    client.release(broken)
  }
}

/** A connection that cannot roll back is thrown away, never returned to the pool in an open transaction. */
async function rollBack(client: pg.PoolClient): Promise<Error | undefined> {
  return client.query('ROLLBACK').then(
    () => undefined,
    (failure: Error) => failure,
  )
}

/** Carries what a rehearsal resolved to out of the transaction that it ends. */
class Rehearsed<T> extends Error {
  readonly result: T

  constructor(result: T) {
    super('rehearsed')
    this.result = result
  }
}

/**
 * Runs `work` as `transaction` does, checks what a commit would check, and undoes all of it. On a pool that is read-only
 * it is the one place that may write.
 */
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
