import type pg from 'pg'
import { isSilent } from './constraint.ts'
import { type Db, type Pool, type Query, run } from './pool.ts'

/**
 * Runs `work` in one transaction and commits when it resolves. The handle given to `work` is dead afterwards: a query
 * that outlives its transaction throws instead of running outside it. No outside call belongs inside.
 */
export async function transaction<T>(pool: Pool, work: (tx: Db) => Promise<T>): Promise<T> {
  const client = await pool.pg.connect()
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
    return result
  } catch (error) {
    open = false
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
