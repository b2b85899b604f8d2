import { expect, test } from 'vitest'
import { createSmppSupplier, type SmppSupplier } from '#server/adapters/smpp/smpp-supplier.ts'
import type { Ending, PurchaseOrder } from '#server/core/suppliers/supplier.ts'
import { addBuyer } from '#test/books/books.ts'
import { createSmppHouse, type SmppHouse } from '#test/fakes/smpp/smpp-house.ts'
import { typed, WHY } from '#test/harness/typed.ts'
import { addNumbers, disableNumbers } from './numbers.ts'

const signal = new AbortController().signal
const PHONE = '79000000001'
const LIFETIME_SECONDS = 1_200

async function openRange(house: SmppHouse): Promise<SmppSupplier> {
  const { ctx, supplierId, receive } = house
  await addNumbers(ctx.db, supplierId, [{ phone: PHONE, countryId: 0, operator: 'mts' }])
  const services = ['tg', 'wa', 'vk'].map((code) => ({ code, cost: '0.50' }))
  const settings = {
    mode: 'server',
    currency: 'usd',
    services,
    listen: { port: 0 },
    peers: [{ systemId: 'bank', password: 'secret' }],
  }
  return createSmppSupplier(ctx, { id: supplierId, code: 'range', kind: 'smpp', settings }, receive)
}

let serial = 0

/** Sells the number to a new buyer, ends the sale after `after` seconds, and waits until it may be sold again. */
async function sell(
  house: SmppHouse,
  supplier: SmppSupplier,
  sale: { service: string; ending: Ending; after?: number; buyerId?: number },
) {
  serial += 1
  const { service: serviceCode, ending, after = LIFETIME_SECONDS, buyerId = serial } = sale
  const reference = `r${serial}`
  const order: PurchaseOrder = {
    reference,
    buyerId,
    serviceCode,
    countryId: 0,
    operator: null,
    maxCostMicros: 1_000_000n,
    currency: 'usd',
    expiresAt: house.ctx.clock.now(),
  }
  const { outcome } = await supplier.buy(order, signal)
  house.advance(after)
  await supplier.end({ reference, supplierReference: reference, phone: PHONE, serviceCode }, ending, signal)
  house.advance(LIFETIME_SECONDS + 1)
  return outcome
}

async function stockOf(supplier: SmppSupplier): Promise<Record<string, number>> {
  const offers = await supplier.listOffers(signal)
  return Object.fromEntries(offers.map(({ serviceCode, stock }) => [serviceCode, stock]))
}

async function receive(house: SmppHouse): Promise<void> {
  await house.ctx.db.query({
    text: `INSERT INTO messages (supplier_id, phone, sender, given, received_at) VALUES ($1, $2, 'BANK', 'unmatched', $3)`,
    values: [house.supplierId, PHONE, house.ctx.clock.now()],
  })
}

test('a number without a message through five sales is set aside for all services, is seen, and is brought back', async () => {
  await using house = await createSmppHouse()
  const supplier = await openRange(house)
  const { db } = house.ctx
  const database = { connectionString: db.options.connectionString }
  for (let sale = 0; sale < 3; sale += 1) await sell(house, supplier, { service: 'tg', ending: 'expired' })
  await sell(house, supplier, { service: 'vk', ending: 'cancelled', after: 130 })
  await sell(house, supplier, { service: 'vk', ending: 'unsold' })
  await sell(house, supplier, { service: 'wa', ending: 'cancelled', after: 301 })
  expect(await stockOf(supplier)).toEqual({ tg: 1, wa: 1, vk: 1 })
  await sell(house, supplier, { service: 'wa', ending: 'expired' })
  expect(await stockOf(supplier)).toEqual({})
  const { rows } = await db.query({ text: 'SELECT kind, reason FROM supplier_events' })
  expect(rows).toEqual([{ kind: 'number-aside', reason: `${PHONE}: no message through 5 sales` }])
  expect((await typed(database, 'numbers:silent')).out).toMatch(`${PHONE} `)
  expect((await typed(database, 'numbers:list')).out).toMatch('set aside as silent')
  const { rows: codes } = await db.query<{ code: string }>({ text: 'SELECT code FROM suppliers' })
  const code = codes[0]?.code ?? ''
  expect(await typed(database, 'numbers:resume', code, ...WHY)).toMatchObject({ code: 0, err: '' })
  expect(await stockOf(supplier)).toMatchObject({ tg: 1, wa: 1 })
  expect((await typed(database, 'numbers:silent')).out).not.toMatch(PHONE)
  await sell(house, supplier, { service: 'tg', ending: 'expired' })
  expect(await stockOf(supplier)).toMatchObject({ tg: 0, wa: 1 })
  expect((await typed(database, 'numbers:silent', '--service', 'tg')).out).toMatch(`${PHONE} `)
  await typed(database, 'numbers:resume', code, '--service', 'tg', ...WHY)
  expect(await stockOf(supplier)).toMatchObject({ tg: 1 })
})

test('any message, or a code, ends the row; who disabled a number has the last word', async () => {
  await using house = await createSmppHouse()
  const supplier = await openRange(house)
  const { db } = house.ctx
  const silent = async () =>
    (await db.query({ text: 'SELECT silent_sales, enabled, silent_at IS NOT NULL AS aside FROM smpp_numbers' })).rows[0]
  for (let sale = 0; sale < 3; sale += 1) await sell(house, supplier, { service: 'tg', ending: 'expired' })
  await sell(house, supplier, { service: 'wa', ending: 'expired' })
  expect(await silent()).toEqual({ silent_sales: 4, enabled: true, aside: false })
  const order: PurchaseOrder = {
    reference: 'heard',
    buyerId: 99,
    serviceCode: 'vk',
    countryId: 0,
    operator: null,
    maxCostMicros: 1_000_000n,
    currency: 'usd',
    expiresAt: house.ctx.clock.now(),
  }
  await supplier.buy(order, signal)
  house.advance(60)
  await receive(house)
  house.advance(LIFETIME_SECONDS)
  await supplier.end({ reference: 'heard', supplierReference: '', phone: PHONE, serviceCode: 'vk' }, 'expired', signal)
  house.advance(LIFETIME_SECONDS + 1)
  expect(await silent()).toEqual({ silent_sales: 4, enabled: true, aside: false })
  await disableNumbers(db, house.supplierId, [PHONE])
  expect(await silent()).toMatchObject({ enabled: false, aside: false })
  await addNumbers(db, house.supplierId, [{ phone: PHONE, countryId: 0, operator: 'mts' }])
  expect(await silent()).toMatchObject({ silent_sales: 0, enabled: true })
  await sell(house, supplier, { service: 'wa', ending: 'expired' })
  await sell(house, supplier, { service: 'wa', ending: 'finished', after: 30 })
  expect(await silent()).toMatchObject({ silent_sales: 0, enabled: true })
})

test('one account that buys and sends nothing takes no number from sale; one that pays for many codes is believed', async () => {
  await using house = await createSmppHouse()
  const supplier = await openRange(house)
  const { db } = house.ctx
  const count = async () => (await db.query({ text: 'SELECT silent_sales FROM smpp_numbers' })).rows[0]
  const thief = { buyerId: 7_777 }
  for (const service of ['tg', 'wa', 'vk', 'tg', 'wa', 'vk'])
    await sell(house, supplier, { service, ending: 'cancelled', after: 301, ...thief })
  expect(await count()).toEqual({ silent_sales: 1 })
  await addBuyer(db, { email: 'reseller@ringpost.test', currency: 'rub', units: 1n })
  const { rows } = await db.query<{ id: number }>({ text: 'SELECT max(id) AS id FROM users' })
  const reseller = { buyerId: rows[0]?.id ?? 0 }
  await db.query({
    text: `INSERT INTO activations (user_id, service_code, country_id, state, money, price_micros, currency, supplier_id, phone, operator,
        channel, created_at, expires_at, ended_at, first_code_at, outcome_at, sms_count, cost_limit_micros, cost_currency, cost_micros)
      SELECT $1, 'tg', 0, 'finished', 'captured', 1000000, 'rub', $2, (79100000000 + n)::text, 'mts', 'site', now(), now(), now(), now(), now(), 1,
        1, 'rub', 1 FROM generate_series(1, 50) n`,
    values: [reseller.buyerId, house.supplierId],
  })
  for (const service of ['wa', 'vk']) await sell(house, supplier, { service, ending: 'expired', ...reseller })
  expect(await count()).toEqual({ silent_sales: 3 })
  expect(await sell(house, supplier, { service: 'wa', ending: 'cancelled', after: 130, ...reseller })).toBe('bought')
  expect(await sell(house, supplier, { service: 'wa', ending: 'cancelled', after: 130, ...thief })).toBe('refused')
  const { rows: uses } = await db.query({ text: 'SELECT service_code, times_offered FROM smpp_number_uses ORDER BY 1' })
  expect(uses).toEqual([
    { service_code: 'tg', times_offered: 1 },
    { service_code: 'vk', times_offered: 2 },
    { service_code: 'wa', times_offered: 3 },
  ])
})
