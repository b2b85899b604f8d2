import { type Currency, MICROS_PER_UNIT } from '#contract/money.ts'
import { MINUTE, SECOND } from '#contract/time.ts'
import { createUser } from '#server/core/accounts/users/create-user.ts'
import { askAgain, endCancelled, endExpired, finish } from '#server/core/numbers/activations/queries/end.ts'
import { failReservation, reserve, settleBought } from '#server/core/numbers/activations/queries/purchase.ts'
import { storeSms } from '#server/core/numbers/activations/queries/sms.ts'
import { endUnusable } from '#server/core/numbers/activations/queries/used.ts'
import { type Db, Pool } from '#server/house/db/pool.ts'
import { adjustBalance } from '#server/house/money/credit.ts'
import { NO_NODE } from '#server/house/nodes/node.ts'
import { bookMessage } from '#test/builders/book-message.ts'
import { createEmptyDatabase, createTestDatabase } from '#test/harness/database.ts'
import { quietLog } from '#test/harness/postgres/temporary-postgres.ts'
import { fillCharges, TELEGRAM_SHARED } from './books-charges.ts'

export const BOOKS_START = new Date('2026-01-10T12:00:00.000Z')

/** Opens a pool on a new database, migrated or `empty`. Disposing the pool drops the database. */
export async function openTestPool({ empty = false } = {}): Promise<Pool & { connectionString: string }> {
  const database = await (empty ? createEmptyDatabase() : createTestDatabase())
  const { connectionString } = database
  const pool = new Pool({
    connectionString,
    maxConnections: 8,
    applicationName: 'test',
    log: quietLog,
    answerLimitMs: MINUTE,
  })
  const close = pool[Symbol.asyncDispose].bind(pool)
  return Object.assign(pool, {
    connectionString,
    [Symbol.asyncDispose]: async () => {
      await close()
      await database[Symbol.asyncDispose]()
    },
  })
}

async function addSupplierRow(db: Db): Promise<number> {
  const { rows } = await db.query<{ id: number }>({
    text: `INSERT INTO suppliers (code, kind, created_at) VALUES ('range', 'smpp', $1) RETURNING id`,
    values: [BOOKS_START],
  })
  return rows[0]?.id ?? 0
}

export async function addBuyer(db: Db, input: { email: string; currency: Currency; units: bigint }): Promise<number> {
  const id = await createUser(db, {
    email: input.email,
    name: '',
    passwordHash: '',
    role: 'user',
    zone: 'ru',
    locale: 'ru',
    currency: input.currency,
    now: BOOKS_START,
  })
  if (id === null) throw new Error(`${input.email} is taken`)
  if (input.units > 0n) {
    const amountMicros = input.units * MICROS_PER_UNIT
    await adjustBalance(db, { userId: id, amountMicros, idempotencyKey: `first-${id}`, at: BOOKS_START })
  }
  return id
}

export const BOOKS_ENDINGS = [
  'reserving',
  'failed',
  'waiting',
  'received',
  'waiting_again',
  'finished',
  'cancelled',
  'used',
  'expired',
] as const
export type BooksEnding = (typeof BOOKS_ENDINGS)[number]

/** Inserts an activation that ends in the state `ending`. Returns its id, or null if the buyer lacks money. */
export async function addActivation(
  db: Db,
  input: {
    supplierId: number
    userId: number
    currency: Currency
    phone: string
    ending: BooksEnding
    promotion?: { id: number; priceMicros: bigint }
  },
): Promise<bigint | null> {
  const { ending, phone, supplierId, promotion } = input
  const now = BOOKS_START
  const later = new Date(now.getTime() + 3 * MINUTE)
  // An activation that must expire gets the shortest lifetime, so that only it expires.
  const lifetimeMs = ending === 'expired' ? SECOND : 20 * MINUTE
  const made = await reserve(db, {
    userId: input.userId,
    serviceCode: 'tg',
    countryId: 2,
    operatorWanted: null,
    priceMicros: promotion?.priceMicros ?? 12_500_000n,
    currency: input.currency,
    supplierId,
    channel: 'site',
    idempotencyKey: `key-${phone}`,
    inputHash: 'x',
    costLimitMicros: 9_000_000n,
    costCurrency: 'rub',
    excludedPrefixes: [],
    promotionId: promotion?.id ?? null,
    limits: { openNumbers: null, daySpendMicros: null },
    nodeId: NO_NODE,
    now,
    expiresAt: new Date(now.getTime() + lifetimeMs),
  })
  if (made === null || ending === 'reserving') return made?.id ?? null
  const { id } = made
  if (ending === 'failed') {
    await failReservation(db, { id, nodeId: NO_NODE, now: later, abandon: true })
    return id
  }
  const sold = { phone, operator: 'mts', supplierReference: `s-${phone}`, costMicros: 9_000_000n }
  await settleBought(db, { id, attempt: 1, ...sold, ...TELEGRAM_SHARED, nodeId: NO_NODE, now }, made)
  if (ending === 'cancelled') await endCancelled(db, { id, createdBefore: later, now: later })
  else if (ending === 'used') await endUnusable(db, { id, now: later })
  else if (ending === 'expired') await endExpired(db, { now: later, limit: 100, play: false })
  if (ending === 'cancelled' || ending === 'used' || ending === 'expired' || ending === 'waiting') return id
  const message = bookMessage({ supplierId, phone, text: `Код 12345 «${phone}»\nне сообщайте`, at: later })
  await storeSms(db, { message, activationId: id, code: '12345', given: 'named', isNotice: false })
  if (ending === 'waiting_again') await askAgain(db, { id, now: later })
  if (ending === 'finished') await finish(db, { id, now: later })
  return id
}

/** Inserts two buyers with an activation in every state. The first has rentals and pre-orders in every state too. */
export async function fillBooks(
  db: Pool,
): Promise<{ supplierId: number; buyers: number[]; ids: bigint[]; rentals: bigint[] }> {
  const supplierId = await addSupplierRow(db)
  const rub = await addBuyer(db, { email: 'rub@ringpost.test', currency: 'rub', units: 500n })
  const usd = await addBuyer(db, { email: 'usd@ringpost.test', currency: 'usd', units: 500n })
  const ids: bigint[] = []
  for (const [place, ending] of BOOKS_ENDINGS.entries()) {
    for (const [userId, currency] of [[rub, 'rub'] as const, [usd, 'usd'] as const]) {
      const phone = `7700${userId}${String(place).padStart(6, '0')}`
      const id = await addActivation(db, { supplierId, userId, currency, phone, ending })
      if (id === null) throw new Error('the books ran out of money')
      ids.push(id)
    }
  }
  const rentals = await fillCharges(db, { supplierId, userId: rub, at: BOOKS_START })
  return { supplierId, buyers: [rub, usd], ids, rentals }
}
