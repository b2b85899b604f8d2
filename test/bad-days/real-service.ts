import { expect, vi } from 'vitest'
import { makeApiKey } from '#server/core/accounts/api-keys/api-key.ts'
import { replaceApiKey } from '#server/core/accounts/api-keys/queries.ts'
import { systemRandom } from '#server/house/clock.ts'
import { Pool } from '#server/house/db/pool.ts'
import { verifyLedger } from '#server/house/money/verify.ts'
import { addBuyer } from '#test/books/books.ts'
import { createTestDatabase } from '#test/harness/database.ts'
import { quietLog } from '#test/harness/postgres/temporary-postgres.ts'

export type Buyer = { id: number; key: string }
type Reply = {
  status: number
  retryAfter: string | null
  body: { code?: string; data?: { id: number; phone: string; state: string } }
}

/** The longest time in ms that a busy machine may take until an expected event happens. */
const LIMIT_MS = 20_000

/** The balance of a buyer. The longest soak sells a number on three times, which costs 21.97 at the end. */
export const BUYER_UNITS = 100_000n

export async function furnishNew(buyers: number) {
  await using stack = new AsyncDisposableStack()
  const { connectionString: databaseUrl } = stack.use(await createTestDatabase())
  const house = stack.use(await furnish(databaseUrl, buyers))
  const kept = stack.move()
  return { ...house, databaseUrl, [Symbol.asyncDispose]: () => kept.disposeAsync() }
}

/** Inserts the supplier and the buyers that the service under test will find, and opens a database pool. */
export async function furnish(connectionString: string, buyers: number) {
  const pool = new Pool({ connectionString, maxConnections: 4, applicationName: 'onlooker', log: quietLog })
  const now = new Date()
  await pool.query({
    text: `INSERT INTO suppliers (code, kind, created_at) VALUES ('peer', 'scripted', $1)`,
    values: [now],
  })
  const made: Buyer[] = []
  for (let place = 0; place < buyers; place += 1) {
    const id = await addBuyer(pool, { email: `buyer${place}@example.test`, currency: 'rub', units: BUYER_UNITS })
    const key = makeApiKey(systemRandom)
    await replaceApiKey(pool, { userId: id, apiKey: key, now })
    made.push({ id, key })
  }
  const buyerAt = (place: number): Buyer => {
    const buyer = made[place]
    if (buyer === undefined) throw new Error(`there are ${made.length} buyers`)
    return buyer
  }
  return { pool, buyers: made, buyerAt, [Symbol.asyncDispose]: () => pool[Symbol.asyncDispose]() }
}

export function buy(
  url: string,
  buyer: Buyer,
  idempotencyKey: string,
  wish: { operator_id?: string } = {},
): Promise<Reply> {
  return request(url, buyer, '/api/v1/activations', {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'idempotency-key': idempotencyKey },
    body: JSON.stringify({ service_id: 'tg', country_id: 2, ...wish }),
  })
}

export async function request(url: string, buyer: Buyer, path: string, init: RequestInit = {}): Promise<Reply> {
  const headers = { ...init.headers, authorization: `Bearer ${buyer.key}` }
  const response = await fetch(`${url}${path}`, { ...init, headers })
  return {
    status: response.status,
    retryAfter: response.headers.get('retry-after'),
    body: (await response.json()) as Reply['body'],
  }
}

export function until(condition: () => boolean | Promise<boolean>): Promise<unknown> {
  return vi.waitUntil(condition, { timeout: LIMIT_MS, interval: 10 })
}

export async function expectLedgerRight(pool: Pool): Promise<void> {
  const report = await verifyLedger(pool)
  expect(report.checks.flatMap((check) => check.problems)).toEqual([])
  expect(report.ok).toBe(true)
}

export async function countRows(pool: Pool, from: string): Promise<number> {
  const { rows } = await pool.query<{ count: bigint }>({ text: `SELECT count(*) FROM ${from}` })
  return Number(rows[0]?.count ?? -1n)
}
