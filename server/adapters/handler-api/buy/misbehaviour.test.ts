import { expect, test, vi } from 'vitest'
import { catalogOf } from '#server/core/catalog/offers/catalog-index.ts'
import { addField, orderOf, signal } from '#test/builders/suppliers/handler-api-supplier.ts'
import { startTestApp } from '#test/harness/harness.ts'
import { typed } from '#test/harness/typed.ts'

const pairs = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, place) => [String(place), { tg: { cost: 12.5, count: 40 } }]))

test('a list that cannot be read, or suddenly tells nearly nothing, does not empty good offers without a word', async () => {
  await using t = await startTestApp()
  await using field = await addField(t, 'sms-activate', { pricesSeconds: 0.1 })
  const { house, supplier } = field
  house.prices = pairs(30)
  await vi.waitUntil(async () => (await supplier.listOffers(signal)).length > 20, { timeout: 10_000 })
  const good = await supplier.listOffers(signal)
  const asked = () => house.asked.filter(({ action }) => action === 'getPrices').length
  for (const body of ['<html>Bad gateway</html>', '{"2":{"tg"', 'ERROR_SQL', '[]', '{"country":"none"}', '{}']) {
    const before = asked()
    house.instead = (action) => (action === 'getPrices' ? { body } : undefined)
    await vi.waitUntil(() => asked() > before + 1, { timeout: 20_000 })
    expect([body, await supplier.listOffers(signal)]).toEqual([body, good])
  }
  expect(JSON.stringify(t.log.lines)).toContain('suddenly tells nearly no prices')
  await vi.waitUntil(async () => (await supplier.listOffers(signal)).length === 0, { timeout: 20_000 })
})

test('their words are ours: what refuses, what leaves the outcome open, and what is no number', async () => {
  await using t = await startTestApp()
  await using field = await addField(t, 'smsbower')
  const { house, supplier } = field
  let serial = 0
  const answered = async (body: unknown, status = 200) => {
    house.instead = (action) => (action === 'getNumberV2' ? { status, body } : undefined)
    serial += 1
    return supplier.buy(orderOf(t, `${serial}-1`), signal).catch((error: Error) => error.message)
  }
  for (const [body, status, reason] of [
    ['NO_NUMBERS', 200, 'no-numbers'],
    ['WRONG_MAX_PRICE:13.00', 200, 'no-numbers'],
    [{ title: 'WRONG_MAX_PRICE', details: '', info: { min: 13 } }, 400, 'no-numbers'],
    ['WRONG_SERVICE', 200, 'rejected'],
    ['UNPROCESSABLE_ENTITY:service:INVALID', 200, 'rejected'],
    ["BANNED:'2026-01-31 10-20-30'", 200, 'rejected'],
    [{ status: 'error', message: 'CHANNELS_LIMIT' }, 200, 'rejected'],
    [{ error: 'Bad service' }, 200, 'rejected'],
    ['The service is prohibited for sale by administration', 200, 'rejected'],
  ] as const) {
    expect([body, await answered(body, status)]).toMatchObject([body, { outcome: 'refused', reason }])
  }
  for (const body of [
    'ERROR_SQL',
    'ORDER_ALREADY_EXISTS',
    'SOMETHING_NEW',
    '<html>502</html>',
    '',
    'ACCESS_NUMBER:12',
  ]) {
    expect([body, await answered(body)]).toEqual([body, expect.stringContaining('was answered with')])
  }
  expect(await answered({ activationId: 1, phoneNumber: 'hidden' })).toContain('was answered with')
  await house[Symbol.asyncDispose]()
  expect(await answered('')).toMatchObject({ outcome: 'refused', reason: 'rejected' })
})

test('429 is heeded: nothing is asked for as long as it says', async () => {
  await using t = await startTestApp()
  await using field = await addField(t, 'sms-activate')
  const { house, supplier } = field
  house.instead = () => ({ status: 429, body: 'Too Many Requests', headers: { 'retry-after': '30' } })
  expect(await supplier.buy(orderOf(t, '1-1'), signal)).toMatchObject({ outcome: 'refused', reason: 'rejected' })
  const { length } = house.asked
  expect(await supplier.buy(orderOf(t, '2-1'), signal)).toMatchObject({ outcome: 'refused', reason: 'rejected' })
  expect(house.asked.length).toBe(length)
})

test('a wrong key takes the offers away; too little money those that it cannot pay', async () => {
  await using t = await startTestApp()
  await using field = await addField(t, 'hero-sms', { balanceSeconds: 0.1, pricesSeconds: 0.1 })
  const { house, supplier } = field
  const offered = () => catalogOf(t.ctx).pair('tg', 2)?.offers.length ?? 0
  await vi.waitUntil(() => offered() === 1, { timeout: 10_000 })
  house.instead = (action) => (action === 'getNumberV2' ? { status: 402, body: { title: 'NO_BALANCE' } } : undefined)
  expect(await supplier.buy(orderOf(t, '1-1'), signal)).toMatchObject({ outcome: 'refused', reason: 'no-funds' })
  expect(JSON.stringify(t.log.lines)).toContain('the balance at a supplier is too low')
  await vi.waitUntil(() => offered() === 0, { timeout: 10_000 })
  house.instead = () => undefined
  house.balance = '200'
  await vi.waitUntil(() => offered() === 1, { timeout: 10_000 })
  expect(await supplier.balance?.(signal)).toMatchObject({ micros: 200_000_000n, currency: 'rub' })
  house.balance = '12.49'
  await vi.waitUntil(() => offered() === 0, { timeout: 10_000 })
  house.balance = '12.5'
  await vi.waitUntil(() => offered() === 1, { timeout: 10_000 })
  house.key = 'another'
  await vi.waitUntil(() => supplier.link?.().up === false && offered() === 0, { timeout: 10_000 })
  expect(supplier.link?.().why).toBe('it refuses our key')
  house.key = 'a-key-of-the-field'
  await vi.waitUntil(() => offered() === 1, { timeout: 10_000 })
})

test('what has not changed is not sent again; a service that answers nobody sells nothing, garbage alone hides nothing', async () => {
  await using t = await startTestApp()
  await using field = await addField(t, 'sms-activate', { pricesSeconds: 0.1, balanceSeconds: 0.1 })
  const { house, supplier } = field
  const offered = () => catalogOf(t.ctx).pair('tg', 2)?.offers.length ?? 0
  house.etag = '"one"'
  house.prices = { 2: { tg: { cost: 11, count: 3 } } }
  const cost = async () => (await supplier.listOffers(signal))[0]?.costMicros
  await vi.waitUntil(async () => (await cost()) === 11_000_000n, { timeout: 10_000 })
  // The supplier sends no new price list while its ETag is the same.
  house.prices = { 2: { tg: { cost: 10, count: 3 } } }
  const { length } = house.asked
  await vi.waitUntil(() => house.asked.length > length + 5, { timeout: 10_000 })
  expect(await cost()).toBe(11_000_000n)
  house.etag = '"two"'
  await vi.waitUntil(async () => (await cost()) === 10_000_000n, { timeout: 10_000 })
  house.instead = () => ({ body: 'ERROR_SQL' })
  const before = house.asked.length
  await vi.waitUntil(() => house.asked.length > before + 10, { timeout: 20_000 })
  expect([supplier.link?.().up, offered()]).toEqual([true, 1])
  house.instead = () => ({ status: 502, body: '<html>Bad gateway</html>' })
  await vi.waitUntil(() => supplier.link?.().up === false && offered() === 0, { timeout: 20_000 })
  expect(supplier.link?.().why).toMatch(/^3 calls in a row had no answer, the last one: \w+: status 502$/)
  house.instead = () => undefined
  await vi.waitUntil(() => offered() === 1, { timeout: 20_000 })
  expect(supplier.link?.().why).toBeUndefined()
})

test('what changed while it was stopped is told when it is started again', async () => {
  await using t = await startTestApp()
  await using field = await addField(t, 'sms-activate', { pricesSeconds: 0.1, balanceSeconds: 0.1 })
  const { house, supplier } = field
  const offered = () => catalogOf(t.ctx).pair('tg', 2)?.offers.length ?? 0
  await vi.waitUntil(() => offered() === 1, { timeout: 10_000 })
  house.instead = () => ({ status: 502, body: '<html>Bad gateway</html>' })
  await vi.waitUntil(() => offered() === 0, { timeout: 10_000 })
  await supplier.stop()
  house.instead = () => undefined
  await supplier.buy(orderOf(t, 'a1-1'), signal)
  expect(supplier.link?.().up).toBe(true)
  await supplier.start()
  await vi.waitUntil(() => offered() === 1, { timeout: 10_000 })
})

test('what was priced in another currency than the account is kept in now is not bought', async () => {
  await using t = await startTestApp()
  await using field = await addField(t, 'sms-activate', { currency: 'usd' })
  const { house, supplier } = field
  const order = orderOf(t, 'a1-1')
  const asked = () => house.asked.filter(({ action }) => action.startsWith('getNumber')).length
  expect(await supplier.buy(order, signal)).toMatchObject({ outcome: 'refused', reason: 'rejected' })
  expect([asked(), await supplier.find('a1-1', signal)]).toEqual([0, { outcome: 'none' }])
  expect(await supplier.buy({ ...order, reference: 'a2-1', currency: 'usd' }, signal)).toMatchObject({
    outcome: 'bought',
  })
  expect(asked()).toBe(1)
})

test('codes of theirs cannot steer the terminal, and endless ones are not kept', async () => {
  await using t = await startTestApp()
  await using field = await addField(t, 'sms-activate', { pricesSeconds: 0.1 })
  const offer = { cost: 1, count: 3 }
  field.house.prices = {
    2: { tg: offer, '\u001b]0;owned\u0007\u001b[31mroot# ': offer, ['x'.repeat(64)]: offer, ['y'.repeat(65)]: offer },
  }
  const shown = async () => (await typed(t.database, 'supplier:unmapped', 'sms-activate')).out
  await vi.waitUntil(async () => (await shown()).includes('root#'), { timeout: 20_000 })
  const out = await shown()
  expect(out).not.toContain('\u001b')
  expect([out.includes('x'.repeat(64)), out.includes('y')]).toEqual([true, false])
})
