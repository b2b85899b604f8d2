import { expect, test } from 'vitest'
import { expectBooksRight, moneyOf, pushSms } from '#test/builders/activation-rows.ts'
import { addRenting } from '#test/builders/rental-rows.ts'
import { beginTestSession, startTestApp, type TestApp, type TestUser } from '#test/harness/harness.ts'

type Reply = Record<string, unknown> & { status: string; phone: { id: number; endDate: string; number: string } }

async function askerOf(t: TestApp, user: TestUser) {
  const key = await t.makeApiKey(user)
  const raw = async (action: string, parameters: Record<string, string> = {}) => {
    const query = new URLSearchParams({ api_key: key, action, ...parameters })
    return (await t.fetch(`/stubs/handler_api.php?${query}`)).text()
  }
  // The cast is safe, because the expectations check the shape of the reply.
  const ask = async (action: string, parameters: Record<string, string> = {}) =>
    JSON.parse(await raw(action, parameters)) as Reply
  return { ask, raw }
}

const refusal = (message: string, info?: object) => ({ status: 'error', message, ...(info && { info }) })
const FULL = { service: 'full', country: '2' }

test('a number is rented by each name of the hours; hours that are not sold become the next longer period', async () => {
  await using t = await startTestApp()
  const supplier = await addRenting(t)
  const buyer = await t.makeUser({ balance: '1000' })
  const { ask } = await askerOf(t, buyer)
  expect(await ask('getRentServicesAndCountries', { country: '2', rent_time: '2' })).toEqual({
    countries: { 0: 2 },
    operators: { 0: 'altel', 1: 'any' },
    services: {
      full: { cost: 52, quant: 10, price: 52, retail_price: 52, quantity: 10 },
      tg: { cost: 26, quant: 10, price: 26, retail_price: 26, quantity: 10 },
    },
    currency: 643,
  })
  const rented = await ask('getRentNumber', { ...FULL, time: '5', operator: 'altel' })
  expect(rented).toMatchObject({
    status: 'success',
    activationCost: 130,
    currency: 643,
    countryCode: 2,
    subtype: 2,
    serviceCode: 'full',
    phone: { endDate: '2026-03-02T12:00:00', number: expect.stringMatching(/^7\d{10}$/) },
    activationEndTime: '2026-03-02 12:00:00',
  })
  for (const name of ['rent_time', 'duration', 'hours']) {
    const { phone } = await ask('getRentNumber', { ...FULL, [name]: '4' })
    expect(phone.endDate).toBe('2026-03-01T16:00:00')
  }
  const { phone } = await ask('getRentNumber', FULL)
  expect(phone.endDate).toBe('2026-03-01T16:00:00')
  expect(await moneyOf(t, buyer)).toEqual({ balance: '662.00', held: '338.00' })
  expect(supplier.rent.orders.map(({ hours }) => hours)).toEqual([24, 4, 4, 4, 4])
  expect(await ask('getRentPrices', { duration: '20' })).toEqual({
    status: 'success',
    currency: 643,
    values: { 2: { full: { cost: 130, count: 10 }, tg: { cost: 65, count: 10 } } },
  })
})

test('messages, the list, an extension and the end; each word as the field has it', async () => {
  await using t = await startTestApp()
  const supplier = await addRenting(t)
  const buyer = await t.makeUser({ balance: '1000' })
  const { ask } = await askerOf(t, buyer)
  expect(await ask('getRentList')).toEqual(refusal('NO_NUMBERS'))
  const { phone } = await ask('getRentNumber', { ...FULL, rent_time: '24', orderId: 'mine' })
  const id = String(phone.id)
  expect(await ask('getRentStatus', { id })).toEqual(refusal('STATUS_WAIT_CODE'))
  for (const text of ['Telegram code: 11111', 'Telegram code: 22222', 'no code']) {
    await pushSms(t, supplier, { phone: phone.number, text })
  }
  const values = {
    0: { id: expect.any(String), phoneFrom: 'Telegram', text: 'no code', service: 'full', date: '2026-03-01 12:00:00' },
    1: expect.objectContaining({ text: 'Telegram code: 22222' }),
  }
  expect(await ask('getRentStatus', { id, size: '2' })).toEqual({ status: 'success', quantity: '3', values })
  expect(await ask('getRentStatus', { id, size: '2', page: '2' })).toMatchObject({
    values: { 0: { text: 'Telegram code: 11111' } },
  })
  expect(await ask('getRentList')).toEqual({
    status: 'success',
    values: {
      0: {
        id,
        phone: phone.number,
        endDate: '2026-03-02T12:00:00',
        quantity: '3',
        service: 'full',
        country: '2',
        orderId: 'mine',
      },
    },
  })
  expect(await ask('continueRentNumber', { id, rent_time: '3', orderId: 'more' })).toMatchObject({
    status: 'success',
    activationCost: 182,
    phone: { id: phone.id, endDate: '2026-03-02T16:00:00', number: phone.number },
  })
  expect((await ask('continueRentNumber', { id, rent_time: '3', orderId: 'more' })).phone.endDate).toBe(
    '2026-03-02T16:00:00',
  )
  expect((await ask('getRentNumber', { ...FULL, rent_time: '24', orderId: 'mine' })).phone.id).toBe(phone.id)
  expect(await ask('getRentNumber', { ...FULL, orderId: 'mine' })).toEqual(refusal('ORDER_ALREADY_EXISTS'))
  expect(await ask('getRentExtension', { orderId: 'more' })).toEqual({
    status: 'success',
    order: 'extended',
    id,
    cost: 52,
  })
  expect(await ask('getRentExtension', { orderId: 'other' })).toEqual({ status: 'success', order: 'none' })
  expect(await ask('setRentStatus', { id, status: '2' })).toEqual(refusal('CANT_CANCEL'))
  expect(await ask('setRentStatus', { id, status: '1' })).toEqual({ status: 'success' })
  for (const status of ['1', '2']) expect(await ask('setRentStatus', { id, status })).toEqual(refusal('ALREADY_FINISH'))
  expect(await ask('getRentStatus', { id })).toEqual(refusal('STATUS_FINISH'))
  expect(await ask('continueRentNumber', { id })).toEqual(refusal('RENT_DIE'))
  expect(await ask('getRentOrder', { orderId: 'mine' })).toMatchObject({
    order: 'ended',
    state: 'finished',
    cost: 182,
    messages: [{ text: 'Telegram code: 11111' }, { text: 'Telegram code: 22222' }, { text: 'no code' }],
  })
  await expectBooksRight(t.ctx)
})

test('a rental without a message is cancelled by either status, and the money comes back', async () => {
  await using t = await startTestApp()
  await addRenting(t)
  const buyer = await t.makeUser({ balance: '1000' })
  const { ask } = await askerOf(t, buyer)
  for (const status of ['1', '2']) {
    const { phone } = await ask('getRentNumber', FULL)
    const id = String(phone.id)
    expect(await ask('setRentStatus', { id, status })).toEqual({ status: 'success' })
    expect(await ask('getRentStatus', { id })).toEqual(refusal('STATUS_CANCEL'))
    expect(await ask('setRentStatus', { id, status: '2' })).toEqual(refusal('ALREADY_CANCEL'))
  }
  const { phone } = await ask('getRentNumber', FULL)
  t.clock.advance(1_200_000)
  expect(await ask('setRentStatus', { id: String(phone.id), status: '2' })).toEqual(refusal('CANT_CANCEL'))
  Object.assign(buyer, await beginTestSession(t.ctx, buyer.id))
  expect(await moneyOf(t, buyer)).toEqual({ balance: '948.00', held: '52.00' })
})

test('what cannot be rented has its word; another’s rental is nobody’s; a key without the right is BAD_KEY', async () => {
  await using t = await startTestApp()
  await addRenting(t)
  const buyer = await t.makeUser({ balance: '100' })
  const { ask, raw } = await askerOf(t, buyer)
  const other = await askerOf(t, await t.makeUser({ balance: '1000' }))
  const rent = (change: Record<string, string>) => ask('getRentNumber', { ...FULL, ...change })
  expect(await rent({ service: 'zzzz' })).toEqual(refusal('BAD_SERVICE'))
  expect(await ask('getRentNumber', { country: '2' })).toEqual(refusal('BAD_SERVICE'))
  expect(await rent({ country: 'x' })).toEqual(refusal('BAD_COUNTRY'))
  expect(await rent({ country: '9999' })).toEqual(refusal('BAD_COUNTRY'))
  expect(await rent({ country: '7' })).toEqual(refusal('NO_NUMBERS'))
  expect(await rent({ incomingCall: '1' })).toEqual(refusal('NO_NUMBERS'))
  expect(await rent({ time: '720' })).toEqual(refusal('NO_NUMBERS'))
  expect(await rent({ time: '24' })).toEqual(refusal('NO_BALANCE'))
  expect(await rent({ maxPrice: '51.99' })).toEqual(refusal('WRONG_MAX_PRICE', { min: '52.00' }))
  for (const time of ['0', '-4', '4.5', 'day']) expect(await rent({ time })).toEqual(refusal('INVALID_TIME'))
  expect(await rent({ time: '1441' })).toEqual(refusal('MAX_HOURS_EXCEEDED', { max: 1440 }))
  expect(await ask('getRentServicesAndCountries', { country: '7' })).toEqual(refusal('OUT_OF_STOCK'))
  const { phone } = await other.ask('getRentNumber', { ...FULL, orderId: 'theirs' })
  const id = String(phone.id)
  expect(await ask('getRentOrder', { orderId: 'theirs' })).toEqual({ status: 'success', order: 'none' })
  for (const theirs of [id, 'abc', '99999999999999999999']) {
    expect(await ask('getRentStatus', { id: theirs })).toEqual(refusal('INVALID_PHONE'))
    expect(await ask('setRentStatus', { id: theirs, status: '2' })).toEqual(refusal('INVALID_PHONE'))
    expect(await ask('continueRentNumber', { id: theirs })).toEqual(refusal('INVALID_PHONE'))
  }
  expect(await ask('getRentStatus')).toEqual(refusal('NO_ID_RENT'))
  expect(await ask('setRentStatus', { id, status: '3' })).toEqual(refusal('INCORECT_STATUS'))
  expect(await raw('getRentNumber', { api_key: 'x'.repeat(32) })).toBe('BAD_KEY')
  expect(await moneyOf(t, buyer)).toEqual({ balance: '100.00', held: '0.00' })
})
