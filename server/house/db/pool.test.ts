import { expect, test } from 'vitest'
import { openTestPool } from '#test/books/books.ts'
import { createTestDatabase } from '#test/harness/database.ts'
import { recordingLog } from '#test/harness/recording-log.ts'
import { isDatabaseAway } from './constraint.ts'
import { Pool } from './pool.ts'
import { transaction } from './transaction.ts'

test('of two statements that wait for each other both are done, each once', async () => {
  await using pool = await openTestPool()
  await pool.query({ text: 'CREATE TABLE meetings (id integer PRIMARY KEY, visits integer NOT NULL)' })
  await pool.query({ text: 'INSERT INTO meetings VALUES (1, 0), (2, 0)' })
  const visit = (first: number, second: number) =>
    pool.query({
      text: `WITH mine AS (UPDATE meetings SET visits = visits + 1 WHERE id = $1 RETURNING id),
        pause AS (SELECT pg_sleep(0.3) FROM mine)
        UPDATE meetings SET visits = visits + 1 WHERE id = $2 AND (SELECT count(*) FROM pause) = 1`,
      values: [first, second],
    })
  await Promise.all([visit(1, 2), visit(2, 1)])
  const { rows } = await pool.query({ text: 'SELECT id, visits FROM meetings ORDER BY id' })
  expect(rows).toEqual([
    { id: 1, visits: 2 },
    { id: 2, visits: 2 },
  ])
})

test('of two transactions that wait for each other both are done, each once', async () => {
  await using pool = await openTestPool()
  await pool.query({ text: 'CREATE TABLE meetings (id integer PRIMARY KEY, visits integer NOT NULL)' })
  await pool.query({ text: 'INSERT INTO meetings VALUES (1, 0), (2, 0)' })
  const { promise: bothIn, resolve: letBothOn } = Promise.withResolvers<void>()
  let entered = 0
  const visit = (first: number, second: number) =>
    transaction(pool, async (tx) => {
      const one = (id: number) =>
        tx.query({ text: 'UPDATE meetings SET visits = visits + 1 WHERE id = $1', values: [id] })
      await one(first)
      entered += 1
      if (entered === 2) letBothOn()
      await bothIn
      await one(second)
    })
  await Promise.all([visit(1, 2), visit(2, 1)])
  const { rows } = await pool.query({ text: 'SELECT id, visits FROM meetings ORDER BY id' })
  expect(rows).toEqual([
    { id: 1, visits: 2 },
    { id: 2, visits: 2 },
  ])
  // PostgreSQL rolls one of the transactions back, perhaps more than once; each time it is retried.
  expect(entered).toBeGreaterThanOrEqual(3)
})

test('PostgreSQL ends a transaction that idles, which frees its rows; the work in it fails, and the pool goes on', async () => {
  await using database = await createTestDatabase()
  const log = recordingLog()
  const { connectionString } = database
  await using pool = new Pool({ connectionString, maxConnections: 2, applicationName: 'test', log })
  const visit = { text: 'UPDATE visits SET count = count + 1 RETURNING count' }
  await pool.query({ text: 'CREATE TABLE visits AS SELECT 1 AS count' })
  const idle = transaction(pool, async (tx) => {
    const { rows } = await tx.query({ text: 'SHOW idle_in_transaction_session_timeout' })
    expect(rows).toEqual([{ idle_in_transaction_session_timeout: '10s' }])
    await tx.query({ text: 'SET LOCAL idle_in_transaction_session_timeout = 100' })
    await tx.query(visit)
    // This statement waits for the row of the transaction.
    expect((await pool.query(visit)).rows).toEqual([{ count: 2 }])
    await tx.query(visit)
  })
  const error = await idle.catch((failed: unknown) => failed)
  expect([String(error), isDatabaseAway(error)]).toEqual([expect.stringContaining('connection error'), true])
  expect((await pool.query(visit)).rows).toEqual([{ count: 3 }])
})
