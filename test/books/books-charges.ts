import { HOUR, MINUTE } from '#contract/time.ts'
import { finish } from '#server/core/numbers/activations/queries/end.ts'
import {
  failReservation,
  type Reservation,
  reserve,
  settleBought,
} from '#server/core/numbers/activations/queries/purchase.ts'
import { storeSms } from '#server/core/numbers/activations/queries/sms.ts'
import {
  endWaiting,
  holdAgain,
  insertPreorder,
  markBought,
  reserveForPreorder,
} from '#server/core/numbers/preorders/queries/change.ts'
import { endUnused, expireRentals, finishRented } from '#server/core/numbers/rentals/queries/end.ts'
import { grantExtension, releaseExtension, reserveExtension } from '#server/core/numbers/rentals/queries/extend.ts'
import { failRental, reserveRental, settleRented } from '#server/core/numbers/rentals/queries/reserve.ts'
import { storeRentalSms } from '#server/core/numbers/rentals/queries/sms.ts'
import type { Pool } from '#server/house/db/pool.ts'
import { adjustBalance } from '#server/house/money/credit.ts'
import { NO_NODE } from '#server/house/nodes/node.ts'
import { bookMessage } from '#test/builders/book-message.ts'

export const TELEGRAM_SHARED = { family: 'telegram', sendersKnown: true }

export const BOOKS_RENTALS = [
  'reserving',
  'failed',
  'active',
  'received',
  'extended',
  'extending',
  'finished',
  'expired',
  'cancelled',
  'revoked',
] as const
export const BOOKS_PREORDERS = ['waiting', 'buying', 'bought', 'cancelled', 'expired', 'failed'] as const

type Books = { pool: Pool; supplierId: number; userId: number; now: Date }

const NO_LIMITS = { openNumbers: null, daySpendMicros: null }
const after = (start: Date, ms: number) => new Date(start.getTime() + ms)

/** Inserts a rental and a pre-order in every state, and a number that was bought again. Returns the rentals' ids. */
export async function fillCharges(
  pool: Pool,
  input: { supplierId: number; userId: number; at: Date },
): Promise<bigint[]> {
  const books = { pool, supplierId: input.supplierId, userId: input.userId, now: input.at }
  const rentals: bigint[] = []
  for (const [place, ending] of BOOKS_RENTALS.entries())
    rentals.push(await addRental(books, ending, `7800${place}00000`))
  for (const ending of BOOKS_PREORDERS) await addPreorder(books, ending)
  await addRepeat(books, '78009999999')
  return rentals
}

async function addRental(books: Books, ending: (typeof BOOKS_RENTALS)[number], phone: string): Promise<bigint> {
  const { pool, supplierId, userId, now } = books
  const made = await reserveRental(pool, {
    userId,
    serviceCode: 'tg',
    countryId: 2,
    operatorWanted: null,
    hours: 4,
    priceMicros: 8_000_000n,
    currency: 'rub',
    supplierId,
    costLimitMicros: 5_000_000n,
    costCurrency: 'rub',
    channel: 'site',
    idempotencyKey: `rent-${phone}`,
    inputHash: 'x',
    limits: NO_LIMITS,
    nodeId: NO_NODE,
    now,
    cancelUntil: after(now, 20 * MINUTE),
    warnAt: after(now, 3 * HOUR),
    // A rental that must expire gets the shortest time, so that only it expires.
    expiresAt: after(now, ending === 'expired' ? MINUTE : 4 * HOUR),
  })
  if (made === null) throw new Error('the books ran out of money for a rental')
  const { id } = made
  if (ending === 'failed') await failRental(pool, { id, nodeId: NO_NODE, now, abandon: false })
  if (ending === 'failed' || ending === 'reserving') return id
  const sold = { phone, operator: 'mts', supplierReference: `s-${phone}`, costMicros: 5_000_000n }
  await settleRented(pool, { id, attempt: 1, ...sold, ...TELEGRAM_SHARED, nodeId: NO_NODE, now })
  if (ending === 'cancelled' || ending === 'revoked') await endUnused(pool, { id, state: ending, now })
  if (ending === 'expired') await expireRentals(pool, { now: after(now, 2 * MINUTE), limit: 10, play: false })
  if (ending === 'received' || ending === 'finished') {
    const message = bookMessage({ supplierId, phone, text: 'Code 12345', at: now })
    await storeRentalSms(pool, { message, rentalId: id, code: '12345', given: 'named' })
  }
  if (ending === 'finished') await finishRented(pool, { id, now })
  if (ending === 'extended') await extend(books, { id, outcome: 'granted' })
  if (ending === 'extending') await extend(books, { id, outcome: 'refused' })
  if (ending === 'extending') await extend(books, { id, outcome: 'open' })
  return id
}

async function extend(
  { pool, userId, now }: Books,
  { id, outcome }: { id: bigint; outcome: 'granted' | 'refused' | 'open' },
): Promise<void> {
  const held = await reserveExtension(pool, {
    rentalId: id,
    userId,
    hours: 24,
    priceMicros: 9_000_000n,
    currency: 'rub',
    costLimitMicros: 5_000_000n,
    idempotencyKey: `extend-${id}-${outcome}`,
    inputHash: 'x',
    limits: NO_LIMITS,
    nodeId: NO_NODE,
    now,
  })
  if (held === null) throw new Error('the books ran out of money for an extension')
  const { extension_id: chargeId } = held
  const expiresAt = after(now, 28 * HOUR)
  if (outcome === 'granted') {
    await grantExtension(pool, {
      rentalId: id,
      chargeId,
      expiresAt,
      warnAt: expiresAt,
      costMicros: 1n,
      nodeId: NO_NODE,
      now,
    })
  }
  if (outcome === 'refused')
    await releaseExtension(pool, { rentalId: id, chargeId, nodeId: NO_NODE, now, abandon: false })
}

async function addPreorder(books: Books, ending: (typeof BOOKS_PREORDERS)[number]): Promise<void> {
  const { pool, userId, now } = books
  const made = await insertPreorder(pool, {
    userId,
    serviceCode: 'tg',
    countryId: 2,
    operatorWanted: null,
    maxPriceMicros: 10_000_000n,
    currency: 'rub',
    idempotencyKey: `wish-${ending}`,
    inputHash: 'x',
    openLimit: 20,
    now,
    deadlineAt: after(now, HOUR),
  })
  if (made === null) throw new Error('the books ran out of money for a pre-order')
  const { id } = made
  if (ending === 'cancelled') await endWaiting(pool, { id, state: ending, now })
  if (ending === 'expired') await endWaiting(pool, { id, state: ending, now: after(now, HOUR) })
  if (ending !== 'buying' && ending !== 'bought' && ending !== 'failed') return
  const activation = await reserveForPreorder(pool, { ...reservationOf(books), preorderId: id })
  if (activation === null) throw new Error('a pre-order did not become a purchase')
  if (ending === 'bought') {
    await settleBought(
      pool,
      { id: activation.id, attempt: 1, ...numberOf('78008888888'), ...TELEGRAM_SHARED, nodeId: NO_NODE, now },
      activation,
    )
    await markBought(pool, { id, now })
  }
  if (ending === 'failed') await failWithoutMoney(books, { id, activationId: activation.id })
}

/** Makes a pre-order fail for lack of money, and then restores the balance. */
async function failWithoutMoney(
  { pool, userId, now }: Books,
  { id, activationId }: { id: bigint; activationId: bigint },
): Promise<void> {
  await failReservation(pool, { id: activationId, nodeId: NO_NODE, now, abandon: false })
  const { rows } = await pool.query<{ micros: bigint }>({
    text: 'SELECT available_micros AS micros FROM accounts WHERE user_id = $1',
    values: [userId],
  })
  const amountMicros = rows[0]?.micros ?? 0n
  await adjustBalance(pool, { userId, amountMicros: -amountMicros, idempotencyKey: 'emptied', at: now })
  await holdAgain(pool, { id, now, nextTryAt: now })
  await adjustBalance(pool, { userId, amountMicros, idempotencyKey: 'filled', at: now })
}

async function addRepeat(books: Books, phone: string): Promise<void> {
  const { pool, supplierId, now } = books
  const first = await reserve(pool, reservationOf(books))
  if (first === null) throw new Error('the books ran out of money')
  await settleBought(
    pool,
    { id: first.id, attempt: 1, ...numberOf(phone), ...TELEGRAM_SHARED, nodeId: NO_NODE, now },
    first,
  )
  const message = bookMessage({ supplierId, phone, text: 'Code 54321', at: now })
  await storeSms(pool, { message, activationId: first.id, code: '54321', given: 'named', isNotice: false })
  await finish(pool, { id: first.id, now })
  const again = await reserve(pool, { ...reservationOf(books), repeatOf: first.id })
  if (again === null) throw new Error('the books ran out of money')
  await settleBought(
    pool,
    { id: again.id, attempt: 1, ...numberOf(phone), ...TELEGRAM_SHARED, nodeId: NO_NODE, now },
    again,
  )
}

function reservationOf({ supplierId, userId, now }: Books): Reservation {
  return {
    userId,
    serviceCode: 'tg',
    countryId: 2,
    operatorWanted: null,
    priceMicros: 7_000_000n,
    currency: 'rub',
    supplierId,
    costLimitMicros: 5_000_000n,
    costCurrency: 'rub',
    excludedPrefixes: [],
    channel: 'site',
    idempotencyKey: null,
    inputHash: null,
    limits: NO_LIMITS,
    nodeId: NO_NODE,
    now,
    expiresAt: after(now, 20 * MINUTE),
  }
}

function numberOf(phone: string) {
  return { phone, operator: 'mts', supplierReference: `s-${phone}`, costMicros: 5_000_000n }
}
