import { expect, test } from 'vitest'
import { openTestPool } from '#test/books/books.ts'
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
