import { expect, test, vi } from 'vitest'
import { catalogOf } from '#server/core/catalog/offers/catalog-index.ts'
import type { Supplier } from '#server/core/suppliers/supplier.ts'
import { addFiveSim, heldOf, messagesOf, orderOf, signal } from '#test/builders/suppliers/five-sim-supplier.ts'
import { startTestApp } from '#test/harness/harness.ts'
import { readOrders } from '../wire/read-order.ts'

const isPurchase = (path: string) => path.startsWith('/user/buy/')
const find = async ({ find: ask }: Supplier, reference: string) =>
  (await vi.waitUntil(() => ask(reference, signal).catch(() => null), { timeout: 10_000 })) ?? expect.fail()

test('an answer that got lost is found among the orders, and nothing is bought again', async () => {
  await using t = await startTestApp()
  await using five = await addFiveSim(t)
  const { house, supplier } = five
  await supplier.buy(orderOf(t, '1-1'), signal)
  const [ours] = house.sold.values()
  if (ours === undefined) throw new Error('nothing was sold')
  const old = new Date(t.clock.now().getTime() - 600_000)
  house.sold.set(5, { ...ours, id: 5, phone: '+77059990005', madeAt: old })
  house.sold.set(6, { ...ours, id: 6, phone: '+77059990006', country: 'russia' })
  house.sold.set(7, { ...ours, id: 7, phone: '+77059990007', product: 'whatsapp' })
  house.sold.set(8, { ...ours, id: 8, phone: '+77059990008', status: 'CANCELED' })
  house.instead = (path) => (isPurchase(path) ? { cut: true, act: true } : undefined)
  await expect(supplier.buy(orderOf(t, '2-1'), signal)).rejects.toThrow('no answer')
  await expect(supplier.buy(orderOf(t, '2-1'), signal)).rejects.toThrow('was asked for before')
  const lost = [...house.sold.values()].at(-1)
  expect(await supplier.buy(orderOf(t, '3-1'), signal)).toMatchObject({ outcome: 'refused', reason: 'rejected' })
  expect(await find(supplier, '2-1')).toMatchObject({
    outcome: 'bought',
    supplierReference: String(lost?.id),
    phone: lost?.phone.slice(1),
    costMicros: 12_500_000n,
    expiresAt: new Date(t.clock.now().getTime() + 900_000),
  })
  expect(await supplier.find('2-1', signal)).toMatchObject({ supplierReference: String(lost?.id) })
  expect(house.sold.size).toBe(6)
  expect(house.complaints).toEqual([])
})

test('of two that fit, one may be a stranger’s, and none is taken; the operator tells them apart', async () => {
  await using t = await startTestApp()
  await using five = await addFiveSim(t, { operators: 'each' })
  const { house, supplier } = five
  house.instead = (path) => (isPurchase(path) ? { hang: true, act: true } : undefined)
  const late = new AbortController()
  const asked = supplier.buy({ ...orderOf(t, '1-1'), operator: 'virtual18' }, late.signal)
  await vi.waitUntil(() => house.sold.size === 1, { timeout: 10_000 })
  late.abort()
  await expect(asked).rejects.toThrow('no answer')
  const [sold] = house.sold.values()
  if (sold === undefined) throw new Error('nothing was sold')
  house.sold.set(7, { ...sold, id: 7, phone: '+77059990007' })
  await expect(supplier.find('1-1', signal)).rejects.toThrow('may be any of 2')
  house.sold.set(7, { ...sold, id: 7, phone: '+77059990007', operator: 'beeline' })
  expect(await supplier.find('1-1', signal)).toMatchObject({ outcome: 'bought', supplierReference: String(sold.id) })
  expect([...house.sold.values()].map(({ status }) => status)).toEqual(['PENDING', 'PENDING'])
})

test('what was not bought is none, once it cannot be under way any more; and is never bought later', async () => {
  await using t = await startTestApp()
  await using five = await addFiveSim(t)
  const { house, supplier } = five
  house.instead = (path) => (isPurchase(path) ? { cut: true, act: false } : undefined)
  await expect(supplier.buy(orderOf(t, '1-1'), signal)).rejects.toThrow('no answer')
  await expect(supplier.find('1-1', signal)).rejects.toThrow('may still be under way')
  t.clock.advance(45_000)
  house.instead = (path) => (path === '/user/orders' ? { body: '<html>Bad gateway</html>' } : undefined)
  await expect(supplier.find('1-1', signal)).rejects.toThrow('cannot be read')
  house.instead = () => undefined
  expect(await supplier.find('1-1', signal)).toEqual({ outcome: 'none' })
  await expect(supplier.buy(orderOf(t, '1-1'), signal)).rejects.toThrow('was asked for before')
  expect(house.sold.size).toBe(0)
})

test('their words are ours: what refuses, what leaves the outcome open, and what is no number', async () => {
  await using t = await startTestApp()
  await using five = await addFiveSim(t)
  const { house, supplier } = five
  let serial = 0
  const answered = async (body: unknown, status = 400) => {
    house.instead = (path) => (isPurchase(path) ? { status, body } : undefined)
    serial += 1
    const reference = `${serial}-1`
    const outcome = await supplier.buy(orderOf(t, reference), signal).catch((error: Error) => error.message)
    if (typeof outcome === 'string') {
      t.clock.advance(45_000)
      expect(await supplier.find(reference, signal)).toEqual({ outcome: 'none' })
    }
    return outcome
  }
  for (const [body, status, reason] of [
    ['no free phones', 200, 'no-numbers'],
    ['no free phones\n', 400, 'no-numbers'],
    ['server offline', 400, 'no-numbers'],
    ['bad country', 400, 'rejected'],
    ['bad operator', 400, 'rejected'],
    ['select country', 400, 'rejected'],
    ['no product', 400, 'rejected'],
    ['', 401, 'rejected'],
  ] as const) {
    expect([body, await answered(body, status)]).toMatchObject([body, { outcome: 'refused', reason }])
  }
  const order = { id: 12, phone: '+77051234567', operator: 'virtual18', product: 'telegram', price: 12.5, sms: null }
  const bare = { ...order, country: 'kazakhstan', status: 'PENDING' }
  for (const [body, status] of [
    ['internal error', 500],
    ['no free phones', 502],
    ['something new', 400],
    ['<html>Bad gateway</html>', 200],
    ['', 200],
    ['{"id":12,"phone"', 200],
    [{ ...bare, phone: 'hidden' }, 200],
    [{ ...bare, country: 'russia' }, 200],
    [{ ...bare, product: 'whatsapp' }, 200],
    [{ ...bare, status: 'CANCELED' }, 200],
  ] as const) {
    expect([body, await answered(body, status)]).toEqual([body, expect.stringContaining('was answered with')])
  }
  expect(JSON.stringify(t.log.lines)).not.toContain(house.key)
  await house[Symbol.asyncDispose]()
  house.instead = () => undefined
  expect(await supplier.buy(orderOf(t, '99-1'), signal)).toMatchObject({ outcome: 'refused', reason: 'rejected' })
})

test('one order is never two of ours; a message is told once, whoever tells it', async () => {
  await using t = await startTestApp()
  await using five = await addFiveSim(t)
  const { house, supplier } = five
  await supplier.buy(orderOf(t, '1-1'), signal)
  const [sold] = house.sold.values()
  const { madeAt: _madeAt, reuse: _reuse, ...again } = sold ?? expect.fail()
  house.instead = (path) => (isPurchase(path) ? { body: again } : undefined)
  await expect(supplier.buy(orderOf(t, '2-1'), signal)).rejects.toThrow('is not free for 2-1')
  if (sold !== undefined) sold.status = 'RECEIVED'
  house.send('Telegram code: 48213')
  await vi.waitUntil(async () => (await messagesOf(t, supplier.id)).length === 1, { timeout: 10_000 })
  await supplier.end(heldOf(house, '1-1'), 'used', signal)
  expect(await messagesOf(t, supplier.id)).toHaveLength(1)
  expect([...house.sold.values()].map(({ status }) => status)).toEqual(['FINISHED'])
})

test.each([
  { status: 429, outcome: { outcome: 'refused', reason: 'rejected' } },
  // A proxy may send 503 for a request that succeeded.
  { status: 503, outcome: 'a purchase was answered with status 503' },
])('$status is heeded: nothing is asked for as long as it says', async ({ status, outcome }) => {
  await using t = await startTestApp()
  await using five = await addFiveSim(t)
  const { house, supplier } = five
  house.instead = () => ({ status, body: 'slow down', headers: { 'retry-after': '30' } })
  const first = await supplier.buy(orderOf(t, '1-1'), signal).catch((error: Error) => error.message)
  expect(first).toEqual(typeof outcome === 'string' ? outcome : expect.objectContaining(outcome))
  const { length } = house.asked
  expect(await supplier.buy(orderOf(t, '2-1'), signal)).toMatchObject({ outcome: 'refused', reason: 'rejected' })
  expect(house.asked.length).toBe(length)
})

test('a wrong key, an empty rating and too little money take away what cannot be bought', async () => {
  await using t = await startTestApp()
  await using five = await addFiveSim(t, { balanceSeconds: 0.1, pricesSeconds: 0.1 })
  const { house, supplier } = five
  const offered = () => catalogOf(t.ctx).pair('tg', 2)?.offers.length ?? 0
  const until = (count: number) => vi.waitUntil(() => offered() === count, { timeout: 10_000 })
  await until(1)
  house.balance = 12.49
  await until(0)
  house.balance = 12.5
  await until(1)
  expect(await supplier.balance?.(signal)).toMatchObject({ micros: 12_500_000n, currency: 'rub' })
  house.rating = 0
  await until(0)
  // The log line comes last: after the offers disappear and the event is stored.
  await vi.waitUntil(() => JSON.stringify(t.log.lines).includes('the rating at a supplier is low'), { timeout: 10_000 })
  house.rating = 24.99
  await until(1)
  house.rating = 95.85
  const rated = { text: 'SELECT rating_hundredths AS rating FROM resell_accounts' }
  await vi.waitUntil(async () => (await t.ctx.db.query<{ rating: number }>(rated)).rows[0]?.rating === 9585, {
    timeout: 10_000,
  })
  const { rows } = await t.ctx.db.query({ text: 'SELECT kind, reason FROM supplier_events ORDER BY id' })
  expect(rows).toEqual([
    { kind: 'rating-low', reason: 'the rating there is 0.00' },
    { kind: 'rating-enough', reason: 'the rating there is 95.85' },
  ])
  house.key = 'another'
  await vi.waitUntil(() => supplier.link?.().up === false && offered() === 0, { timeout: 10_000 })
  house.key = 'eyJhbGciOiJSUzUxMiJ9.a-token.of-tests'
  await until(1)
  house.instead = (path) => (isPurchase(path) ? { status: 400, body: 'not enough rating' } : undefined)
  expect(await supplier.buy(orderOf(t, '1-1'), signal)).toMatchObject({ outcome: 'refused', reason: 'rejected' })
  await until(0)
  house.balance = 50
  await until(1)
  house.instead = (path) => (isPurchase(path) ? { status: 400, body: 'not enough user balance' } : undefined)
  expect(await supplier.buy(orderOf(t, '2-1'), signal)).toMatchObject({ outcome: 'refused', reason: 'no-funds' })
  await until(0)
  expect(house.complaints).toEqual([])
})

test('prices that cannot be read change nothing; what has not changed is not sent again; silence sells nothing', async () => {
  await using t = await startTestApp()
  await using five = await addFiveSim(t, { pricesSeconds: 0.1, balanceSeconds: 0.1 })
  const { house, supplier } = five
  const good = await supplier.listOffers(signal)
  const asked = () => house.asked.filter(({ path }) => path === '/guest/prices').length
  const pass = async () => {
    const before = asked()
    await vi.waitUntil(() => asked() > before + 1, { timeout: 20_000 })
  }
  for (const body of ['<html>Bad gateway</html>', 'internal error', '{"kazakhstan":', '[]', { kazakhstan: 'none' }]) {
    house.instead = (path) => (path === '/guest/prices' ? { body } : undefined)
    await pass()
    expect([body, await supplier.listOffers(signal)]).toEqual([body, good])
  }
  house.instead = () => undefined
  const cost = async () => (await supplier.listOffers(signal))[0]?.costMicros
  const setCost = (price: number) => {
    house.prices = {
      kazakhstan: { telegram: { virtual18: { cost: price, count: 3 }, broken: { cost: 1, count: -1 } } },
    }
  }
  house.etag = '"one"'
  setCost(11.1)
  await vi.waitUntil(async () => (await cost()) === 11_100_000n, { timeout: 10_000 })
  // The supplier sends no new price list while its ETag is the same.
  setCost(10)
  await pass()
  expect(await cost()).toBe(11_100_000n)
  house.etag = '"two"'
  await vi.waitUntil(async () => (await cost()) === 10_000_000n, { timeout: 10_000 })
  house.instead = () => ({ status: 502, body: '<html>Bad gateway</html>' })
  const offered = () => catalogOf(t.ctx).pair('tg', 2)?.offers.length ?? 0
  await vi.waitUntil(() => supplier.link?.().up === false && offered() === 0, { timeout: 20_000 })
  house.instead = () => undefined
  await vi.waitUntil(() => supplier.link?.().up === true, { timeout: 20_000 })
})

test('a list without end is read to an end: so many orders, and of ours so many messages', () => {
  const sms = Array.from({ length: 2_000 }, (_, at) => ({ text: `code ${at}`, date: String(10_000 + at) }))
  const row = { id: 1, phone: '+77051234567', status: 'RECEIVED', sms }
  const read = readOrders({ Data: Array.from({ length: 6_000 }, () => row) })
  expect([read?.rows, read?.orders.length]).toEqual([6_000, 5_000])
  const messages = read?.orders[0]?.messages() ?? []
  expect([messages.length, messages[0]?.text, messages.at(-1)?.text]).toEqual([1_000, 'code 1000', 'code 1999'])
})
