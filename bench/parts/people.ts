import { randomBytes } from 'node:crypto'
import { MICROS_PER_UNIT } from '#contract/money.ts'
import { makeApiKey } from '#server/core/accounts/api-keys/api-key.ts'
import { replaceApiKey } from '#server/core/accounts/api-keys/queries.ts'
import { insertSession } from '#server/core/accounts/sessions/queries.ts'
import { toStored } from '#server/core/accounts/sessions/tokens.ts'
import { createUser } from '#server/core/accounts/users/create-user.ts'
import { systemRandom } from '#server/house/clock.ts'
import type { Db } from '#server/house/db/pool.ts'
import { adjustBalance } from '#server/house/money/credit.ts'

export type Buyer = { userId: number; apiKey: string; token: string }

const BALANCE_MICROS = 100_000_000n * MICROS_PER_UNIT

export async function addBuyers(db: Db, count: number): Promise<Buyer[]> {
  return Promise.all(Array.from({ length: count }, (_, index) => addBuyer(db, `buyer-${index}@bench.test`)))
}

async function addBuyer(db: Db, email: string): Promise<Buyer> {
  const now = new Date()
  const user = { email, name: 'Buyer', passwordHash: '', role: 'user', zone: 'ru', locale: 'ru', now } as const
  const userId = await createUser(db, { ...user, currency: 'rub' })
  if (userId === null) throw new Error(`${email} is taken`)
  await adjustBalance(db, { userId, amountMicros: BALANCE_MICROS, idempotencyKey: 'bench', at: now })
  const apiKey = makeApiKey(systemRandom)
  await replaceApiKey(db, { userId, apiKey, now })
  const token = () => randomBytes(32).toString('base64url')
  const tokens = { access: token(), refresh: token() }
  const session = { ...toStored(tokens, now), userId, userAgent: 'bench', address: '127.0.0.1', now }
  await insertSession(db, session)
  return { userId, apiKey, token: tokens.access }
}

/** Adds user accounts and returns their user ids. `onlookerToken` yields session tokens in the same order. */
export async function addOnlookers(db: Db, count: number): Promise<number[]> {
  const now = new Date()
  const { rows } = await db.query<{ id: number }>({
    text: `WITH people AS (
      INSERT INTO users (email, zone, locale, created_at)
      SELECT 'onlooker-' || n || '@bench.test', 'ru', 'ru', $2 FROM generate_series(1, $1) n RETURNING id
    ), accounted AS (
      INSERT INTO accounts (user_id, currency) SELECT id, 'rub' FROM people
    ), signed_in AS (
      INSERT INTO sessions (user_id, access_hash, access_expires_at, user_agent, address, created_at, last_used_at)
      SELECT id, sha256(convert_to('session-of-onlooker-' || id, 'UTF8')), $3, 'bench', '127.0.0.1', $2, $2 FROM people
    )
    SELECT id FROM people ORDER BY id`,
    values: [count, now, new Date(now.getTime() + 3_600_000)],
  })
  return rows.map((row) => row.id)
}

export function onlookerToken(userId: number): string {
  return `session-of-onlooker-${userId}`
}
