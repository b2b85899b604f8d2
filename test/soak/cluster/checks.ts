import { MICROS_PER_UNIT, parseDecimal } from '#contract/money.ts'
import { hashVoucher, tidyVoucher } from '#server/core/payments/redeem-voucher.ts'
import type { Pool } from '#server/house/db/pool.ts'
import { hashParts } from '#server/house/hash-parts.ts'
import { verifyLedger } from '#server/house/money/verify.ts'
import { ask } from './ask.ts'
import { type Buyer, OWN_PREFIX, START_UNITS } from './furnish.ts'
import type { Record } from './record.ts'

/** Clocks of nodes may differ by a second, so an end may be stored a second too late. */
const CLOCK_MS = 2_000
const PROBLEMS_SHOWN = 10

/** `lost` are acknowledged things that the database has not; an asynchronous fail-over may lose some. */
export type Found = { lost: string[]; wrong: string[] }
type Row = {
  id: bigint
  user_id: number
  phone: string | null
  price_micros: bigint
  state: string
  money: string
  code: string | null
  attempt: number
  supplier_id: number
  family: string
  service_code: string
  ended_at: Date | null
}

/** Holds the record against the product. Nothing may be under way. */
export async function checkRecord(
  { url, pool, record }: { url: string; pool: Pool; record: Record },
  buyers: readonly Buyer[],
): Promise<Found> {
  const found: Found = { lost: [], wrong: [...record.contradictions] }
  const orders = await readOrders(pool, [...record.bought.keys()])
  checkOrders(record, orders, found)
  checkSoldOnce(record, orders, found)
  await checkVouchers(pool, record, found)
  await checkRentals(pool, record, found)
  await checkBalances({ url, pool }, buyers, found)
  const { checks } = await verifyLedger(pool)
  found.wrong.push(...checks.flatMap(({ name, problems }) => problems.map((problem) => `${name}: ${problem}`)))
  return { lost: found.lost.slice(0, PROBLEMS_SHOWN), wrong: found.wrong.slice(0, PROBLEMS_SHOWN) }
}

async function readOrders(pool: Pool, ids: readonly number[]): Promise<Map<number, Row>> {
  const { rows } = await pool.query<Row>({
    text: `SELECT id, user_id, phone, price_micros, state, money, code, attempt, supplier_id, service_code,
      COALESCE(family, service_code) AS family, ended_at FROM activations WHERE id = ANY ($1::bigint[])`,
    values: [ids],
  })
  return new Map(rows.map((row) => [Number(row.id), row]))
}

function checkOrders(record: Record, orders: ReadonlyMap<number, Row>, { lost, wrong }: Found): void {
  for (const { id, user, phone, price } of record.bought.values()) {
    const row = orders.get(id)
    const isSame = row?.user_id === user && row.phone === phone
    if (!isSame) lost.push(`purchase ${id} of ${phone} by ${user}`)
    if (row === undefined || !isSame) continue
    if (price !== '' && parseDecimal(price) !== row.price_micros) wrong.push(`order ${id} costs not what was said`)
    if (['reserving', 'failed'].includes(row.state)) wrong.push(`order ${id} was acknowledged and is ${row.state}`)
    if (record.cancelled.has(id) && row.money !== 'released') lost.push(`cancellation of order ${id}`)
    const sent = record.sent.get(id)
    if (sent !== undefined && row.money !== 'released' && row.code !== sent.code) lost.push(`message of order ${id}`)
    const seen = record.codeOf(id, 'page') ?? record.codeOf(id, 'call')
    if (seen === undefined) continue
    if (row.code !== seen.code) lost.push(`code ${seen.code} of order ${id}`)
    if (row.money !== 'captured') wrong.push(`order ${id} showed its code, and its money is ${row.money}`)
    const right = phone.startsWith(OWN_PREFIX) ? sent?.code : simulatedCode(row)
    // The message may be stored although its acknowledgement was lost.
    if (right !== undefined && seen.code !== right) wrong.push(`order ${id} got the code ${seen.code}, not ${right}`)
  }
}

/** The code that the simulator draws from the first message's id. */
function simulatedCode({ supplier_id: supplierId, id, attempt, phone, service_code: service }: Row): string {
  const drawn = Buffer.from(hashParts([supplierId, `${id}-${attempt}-0-0`, phone]), 'base64url').readUInt32BE()
  const code = (100_000 + (drawn % 900_000)).toString()
  return service === 'tg' ? code.slice(0, 5) : code
}

function checkSoldOnce(record: Record, orders: ReadonlyMap<number, Row>, { wrong }: Found): void {
  const last = new Map<string, number>()
  for (const { id, at, phone } of [...record.bought.values()].sort((one, other) => one.at - other.at)) {
    const row = orders.get(id)
    if (row === undefined) continue
    const key = `${phone} ${row.family}`
    const before = orders.get(last.get(key) ?? 0)
    last.set(key, id)
    const endedAtMs = before?.ended_at?.getTime() ?? Number.POSITIVE_INFINITY
    if (before !== undefined && endedAtMs > at + CLOCK_MS) wrong.push(`orders ${before.id} and ${id} have one number`)
  }
}

async function checkVouchers(pool: Pool, record: Record, { lost, wrong }: Found): Promise<void> {
  const { rows } = await pool.query<{ code_hash: Buffer; user_id: number }>({
    text: 'SELECT code_hash, user_id FROM vouchers JOIN payments ON payments.id = payment_id',
  })
  const owners = new Map(rows.map((row) => [row.code_hash.toString('hex'), row.user_id]))
  for (const { voucher, user } of record.tried.values()) {
    const owner = owners.get(hashVoucher(tidyVoucher(voucher)).toString('hex'))
    if (owner !== undefined && owner !== user) wrong.push(`a voucher of ${user} was credited to ${owner}`)
    if (owner === undefined && record.redeemed.has(voucher)) lost.push(`a voucher of ${user}`)
  }
}

async function checkRentals(pool: Pool, record: Record, { lost }: Found): Promise<void> {
  const { rows } = await pool.query<{ id: bigint; user_id: number; phone: string | null; state: string }>({
    text: 'SELECT id, user_id, phone, state FROM rentals',
  })
  const rentals = new Map(rows.map((row) => [Number(row.id), row]))
  for (const { id, user, phone } of record.rented.values()) {
    const row = rentals.get(id)
    if (row?.user_id !== user || row.phone !== phone) lost.push(`rental ${id} of ${phone}`)
    else if (record.rentCancelled.has(id) && row.state !== 'cancelled') lost.push(`cancellation of rental ${id}`)
  }
}

type Account = {
  user_id: number
  available_micros: bigint
  held_micros: bigint
  paid_in: bigint
  held: bigint
  spent: bigint
}

/** Counts each balance anew from the orders and the vouchers, so that a second charge shows. */
async function checkBalances({ url, pool }: { url: string; pool: Pool }, buyers: readonly Buyer[], { wrong }: Found) {
  const { rows } = await pool.query<Account>({
    text: `WITH sold AS (
        SELECT user_id, money, price_micros FROM activations
        UNION ALL SELECT user_id, money, price_micros FROM charges
      )
      SELECT user_id, available_micros, held_micros,
        COALESCE((SELECT sum(v.amount_micros) FROM vouchers v JOIN payments p ON p.id = v.payment_id
          WHERE p.user_id = accounts.user_id), 0)::bigint AS paid_in,
        COALESCE((SELECT sum(price_micros) FROM sold
          WHERE sold.user_id = accounts.user_id AND money = 'held'), 0)::bigint AS held,
        COALESCE((SELECT sum(price_micros) FROM sold
          WHERE sold.user_id = accounts.user_id AND money = 'captured'), 0)::bigint AS spent
      FROM accounts WHERE user_id = ANY ($1::integer[])`,
    values: [buyers.map(({ id }) => id)],
  })
  for (const row of rows) {
    const total = START_UNITS * MICROS_PER_UNIT + row.paid_in - row.spent
    if (row.held_micros !== row.held) wrong.push(`${row.user_id} holds ${row.held_micros}, and its orders ${row.held}`)
    const has = row.available_micros + row.held_micros
    if (has !== total) wrong.push(`${row.user_id} has ${has} millionths, and should have ${total}`)
    const buyer = buyers.find(({ id }) => id === row.user_id)
    if (buyer === undefined) continue
    const shown = (await ask<{ balance: string }>(url, buyer, 'GET /api/user'))?.body.balance
    // The page shows whole cents.
    const cents = (micros: bigint) => micros / (MICROS_PER_UNIT / 100n)
    const isShown = cents(parseDecimal(shown ?? '') ?? -1n) === cents(row.available_micros)
    if (!isShown) wrong.push(`${row.user_id} is shown ${shown}, and has ${row.available_micros} millionths`)
  }
}
