import { expect, test, vi } from 'vitest'
import { MINUTE } from '#contract/time.ts'
import { catalogOf } from '#server/core/catalog/offers/catalog-index.ts'
import { hideOffers } from '#server/core/catalog/offers/refresh-offers.ts'
import { rentCatalogOf } from '#server/core/catalog/offers/rent-index.ts'
import { supplierListsOf } from '#server/core/catalog/offers/supplier-lists.ts'
import { sweepExpired } from '#server/core/numbers/activations/sweep.ts'
import { receiveSms } from '#server/core/numbers/delivery/receive-sms.ts'
import { suppliersOf } from '#server/core/suppliers/running-suppliers.ts'
import type { Context } from '#server/house/context.ts'
import { addSupplier } from '#server/programs/boot/start-suppliers.ts'
import { count, expectBooksRight, moneyOf } from '#test/builders/activation-rows.ts'
import { call, refused } from '#test/harness/calls.ts'
import { startTestApp, type TestApp, type TestUser } from '#test/harness/harness.ts'
import { listen } from '#test/harness/live-listener.ts'
import { behaviours } from './behaviours.ts'
import { createSimulator } from './simulator.ts'

const BUY = 'POST /api/v1/activations'
const ROW = { code: 'simulator', kind: 'simulator' }
/** The demo's whole stock would take most of the time of each test. */
const SERVICES = ['tg', 'wa', 'go', 'vk', 'ub', 'ds']

async function startDemo(delayScale = 0) {
  const t = await startTestApp()
  const simulator = await t.addReal(createSimulator, { ...ROW, settings: { delayScale, services: SERVICES } })
  const buyer = await t.makeUser({ balance: '1000.00' })
  return { t, simulator, buyer, [Symbol.asyncDispose]: () => t[Symbol.asyncDispose]() }
}

const buy = async (t: TestApp, buyer: TestUser, operator_id: string, service_id = 'tg') =>
  (await call(t, BUY, { service_id, country_id: 0, operator_id }, { token: buyer.token })).data

test('it sells all that the demo has, or the services that its settings name', async () => {
  await using t = await startTestApp()
  const codes = async (settings: Record<string, unknown>) => {
    const simulator = createSimulator(t.ctx, { ...ROW, id: 1, settings })
    const offers = [...(await simulator.listOffers(never)), ...((await simulator.rent?.listRentOffers(never)) ?? [])]
    return [...new Set(offers.map(({ serviceCode }) => serviceCode))].sort()
  }
  expect((await codes({})).length).toBeGreaterThan(50)
  expect(await codes({ services: ['tg', 'wa', 'nothing'] })).toEqual(['tg', 'wa'])
})

test('a start sells its lists without reading or writing the rows, and stores them where the table has others', async () => {
  await using demo = await startDemo()
  const { t, simulator } = demo
  const rows = async () =>
    [
      await count(t.ctx, 'offers'),
      await count(t.ctx, 'rent_offers'),
      await count(t.ctx, 'offers WHERE stock = 7'),
    ] as const
  const before = await rows()
  expect(before[0] * before[1]).toBeGreaterThan(0)
  const asked: string[] = []
  const query: Context['db']['query'] = (given) => {
    asked.push(given.text)
    return t.ctx.db.query(given)
  }
  // `ctx` inherits all members but `db` from `t.ctx`. Object.create returns any, hence the cast.
  const ctx = Object.create(t.ctx, { db: { value: { query } } }) as Context
  const start = async () => {
    hideOffers(t.ctx, simulator.id)
    await suppliersOf(t.ctx).remove(simulator.id)
    supplierListsOf(t.ctx).forget(simulator.id)
    expect(catalogOf(t.ctx).pair('tg', 0)).toBeUndefined()
    asked.length = 0
    const settings = { delayScale: 0, services: SERVICES }
    await addSupplier(ctx, createSimulator(t.ctx, { ...ROW, id: simulator.id, settings }))
    expect(catalogOf(t.ctx).pair('tg', 0)?.offers).toHaveLength(behaviours.length)
    expect(rentCatalogOf(t.ctx).pair('tg', 0)?.offers.length).toBeGreaterThan(0)
    return asked.filter((text) => /INTO (rent_)?offers|SELECT service_code/.test(text)).length
  }
  expect(await start()).toBe(0)
  await t.ctx.db.query({ text: `UPDATE offers SET stock = 7 WHERE service_code = 'tg' AND country_id = 0` })
  await t.ctx.db.query({ text: `DELETE FROM rent_offers WHERE service_code = 'tg'` })
  expect(await start()).toBe(2)
  expect(await rows()).toEqual(before)
})

const never = new AbortController().signal

test('a purchase whose outcome got lost is found, and its messages come with the same words: none is dropped as another', async () => {
  await using demo = await startDemo()
  const { t, simulator, buyer } = demo
  const { buy: sell, find } = simulator
  const found: string[] = []
  // The background job asks the supplier for the order while the order has no number yet.
  simulator.buy = async (order, signal) => {
    const bought = await sell(order, signal)
    found.push((await find(order.reference, signal)).outcome)
    return bought
  }
  const { id } = await buy(t, buyer, 'swift')
  await expect
    .poll(async () => (await call(t, 'GET /api/v1/activations/{id}', { id }, { token: buyer.token })).data.state)
    .toBe('received')
  const counted = async () =>
    (await t.ctx.metrics.registry.metrics()).match(/sms_total\{result="(?:repeated|reused)"\} [1-9]/g)
  await expect.poll(counted).toEqual([expect.stringContaining('repeated')])
  expect([found, await count(t.ctx, 'messages')]).toEqual([['bought'], 1])
  expect(JSON.stringify(t.log.lines)).not.toContain('messages were dropped')
})

test('each behaviour is an operator with its price; the well-behaved one is the cheapest, flaky fails every second time', async () => {
  await using demo = await startDemo()
  const { data } = await call(demo.t, 'GET /api/price', { service_id: 'tg', country_id: 0 })
  const [any, ...operators] = data.operators
  expect(operators.map(({ id }) => id).sort()).toEqual(behaviours.map(({ operator }) => operator).sort())
  const swift = operators.find(({ id }) => id === 'swift')
  expect(any?.price).toBe(swift?.price)
  const { data: bought } = await call(demo.t, BUY, { service_id: 'tg', country_id: 0 }, { token: demo.buyer.token })
  expect(bought).toMatchObject({ operator: 'swift', phone: expect.stringMatching(/^7\d{10}$/) })
  const flaky = { service_id: 'tg', country_id: 0, operator_id: 'flaky' }
  for (let pair = 0; pair < 2; pair += 1) {
    await call(demo.t, BUY, flaky, { token: demo.buyer.token })
    expect((await refused(demo.t, BUY, flaky, { token: demo.buyer.token })).body.code).toBe('NO_NUMBERS')
  }
  await expectBooksRight(demo.t.ctx)
})

test('swift, steady, unicode and flaky send one code that is recognised', async () => {
  await using demo = await startDemo()
  const { t, buyer } = demo
  using live = await listen(t, buyer)
  for (const operator of ['swift', 'steady', 'unicode', 'flaky']) {
    for (const service of ['tg', 'wa', 'go', 'vk', 'ub']) {
      if (operator === 'flaky' && service !== 'tg') continue
      const { id } = await buy(t, buyer, operator, service)
      const { record, message } = await live.next('NewCode')
      expect([operator, service, record.id, record.state]).toEqual([operator, service, id, 'received'])
      expect(record.code).toMatch(/^\d{5,6}$/)
      expect(message.text.replaceAll('-', '')).toContain(record.code)
      if (operator === 'unicode') expect(message.text).toMatch(/«.*» ?: здравствуйте!.*☎️.*ёлки-палки 🌲/s)
    }
  }
  await expectBooksRight(t.ctx)
})

test('twice sends a second code, and one more when asked; used is refunded by itself; silent stays silent', async () => {
  await using demo = await startDemo()
  const { t, buyer } = demo
  using live = await listen(t, buyer)
  const { id } = await buy(t, buyer, 'twice')
  const first = await live.next('NewCode')
  const second = await live.next('NewCode')
  expect(second.record.messages).toHaveLength(2)
  expect(second.message.text).not.toBe(first.message.text)
  await call(t, 'POST /api/v1/activations/{id}/again', { id }, { token: buyer.token })
  expect((await live.next('NewCode')).record).toMatchObject({ id, state: 'received', messages: [{}, {}, {}] })
  await live.next('NewCode')
  const silent = await buy(t, buyer, 'silent')
  const used = await buy(t, buyer, 'used')
  for (;;) {
    const { record } = await live.next('ActivationChanged')
    if (record.id !== used.id || record.state === 'waiting') continue
    expect(record).toMatchObject({ id: used.id, state: 'used', money: 'released' })
    break
  }
  expect(await moneyOf(t, buyer)).toMatchObject({ held: silent.price })
  expect(await count(t.ctx, 'messages')).toBe(4)
})

test('OP-1: notice sends no code but a notice of any service, which costs nothing until it is opened', async () => {
  await using demo = await startDemo()
  const { t, buyer } = demo
  using live = await listen(t, buyer)
  const before = await moneyOf(t, buyer)
  for (const service of ['tg', 'wa', 'go', 'vk', 'ub']) {
    const { id, price } = await buy(t, buyer, 'notice', service)
    // Events of the previous purchase may still arrive.
    for (let came = 0; came === 0; ) {
      const { record } = await live.next('ActivationChanged')
      if (record.id === id) came = record.messages.length
    }
    const { data } = await call(t, 'GET /api/v1/activations/{id}', { id }, { token: buyer.token })
    expect(data).toMatchObject({ state: 'waiting', money: 'held', messages: [{ text: '', notice: true }] })
    expect(await moneyOf(t, buyer)).toMatchObject({ held: price })
    const opened = await call(t, 'POST /api/v1/activations/{id}/open', { id }, { token: buyer.token })
    expect(opened.data.messages).toMatchObject([{ text: expect.stringContaining('new sign-in'), code: null }])
  }
  expect((await moneyOf(t, buyer)).balance).not.toBe(before.balance)
  await expectBooksRight(t.ctx)
})

test('late sends when the time is over: the buyer has his money back, the message is kept', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  using _ = { [Symbol.dispose]: () => vi.useRealTimers() }
  await using demo = await startDemo()
  const { t, buyer } = demo
  const taken = vi.spyOn(t.ctx.metrics.smsReceived, 'inc')
  const { id } = await buy(t, buyer, 'late')
  t.clock.advance(20 * MINUTE)
  expect(await sweepExpired(t.ctx)).toBe(1)
  await vi.advanceTimersByTimeAsync(20 * MINUTE)
  await expect.poll(() => taken.mock.calls.length).toBeGreaterThan(0)
  expect(taken.mock.calls).toEqual([[{ result: 'late' }]])
  expect(await count(t.ctx, `activations WHERE id = $1 AND state = 'expired' AND sms_count = 0`, [id])).toBe(1)
})

test('a number that was given back sends nothing more', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  using _ = { [Symbol.dispose]: () => vi.useRealTimers() }
  await using demo = await startDemo(100)
  const { t, buyer, simulator } = demo
  const { id, phone } = await buy(t, buyer, 'steady')
  t.clock.advance(2 * MINUTE)
  await call(t, 'POST /api/v1/activations/{id}/cancel', { id }, { token: buyer.token })
  await t.runJobs()
  await vi.advanceTimersByTimeAsync(20 * MINUTE)
  // A number's messages are processed in order, so all messages sent before this one are stored first.
  const last = { supplierId: simulator.id, messageId: 'last', phone: phone ?? '', sender: 'x', text: 'last' }
  await receiveSms(t.ctx, last)
  const { rows } = await t.ctx.db.query({ text: 'SELECT body FROM messages' })
  expect(rows).toEqual([{ body: 'last' }])
})

test('after a restart the numbers that wait are promised their code again, and it is the same number', async () => {
  await using demo = await startDemo(100)
  const { t, buyer, simulator } = demo
  const bought = await buy(t, buyer, 'steady')
  await suppliersOf(t.ctx).remove(simulator.id)
  using live = await listen(t, buyer)
  const again = createSimulator(t.ctx, { ...ROW, id: simulator.id, settings: { delayScale: 0 } })
  await suppliersOf(t.ctx).add(again)
  expect(await live.next('NewCode')).toMatchObject({
    record: { id: bought.id, phone: bought.phone, state: 'received' },
  })
  const never = new AbortController().signal
  expect(await again.find(`${bought.id}-1`, never)).toMatchObject({ outcome: 'bought', phone: bought.phone })
  for (const reference of [`${bought.id}-2`, `${bought.id + 1}-1`, 'nonsense', '']) {
    expect([reference, await again.find(reference, never)]).toEqual([reference, { outcome: 'none' }])
  }
})

test('a number that is bought once more is that very number, also when it is asked for after a crash', async () => {
  await using demo = await startDemo(100)
  const { t, buyer, simulator } = demo
  const [first, second] = [await buy(t, buyer, 'silent'), await buy(t, buyer, 'silent')]
  expect(first.phone).not.toBe(second.phone)
  const never = new AbortController().signal
  const order = { buyerId: buyer.id, serviceCode: 'tg', countryId: 0, operator: 'silent', currency: 'rub' as const }
  const limits = { maxCostMicros: 10n ** 9n, expiresAt: t.clock.now() }
  const repeatOf = first.phone ?? ''
  const again = await simulator.buy({ ...order, ...limits, reference: `${second.id + 1}-1`, repeatOf }, never)
  expect(again).toMatchObject({ outcome: 'bought', phone: first.phone })
  await t.ctx.db.query({ text: 'UPDATE activations SET repeat_of = $2 WHERE id = $1', values: [second.id, first.id] })
  expect(await simulator.find(`${second.id}-1`, never)).toMatchObject({ outcome: 'bought', phone: first.phone })
  expect(simulator.repeats).toBe(true)
})

// R-J: a message during an outage of the database was dropped.
test('a message that cannot be stored is tried again until it is', async () => {
  await using demo = await startDemo()
  const { db } = demo.t.ctx
  const query = db.query.bind(db)
  let failures = 0
  const words = new Set<unknown>()
  db.query = (asked) => {
    if (!asked.text.includes('INSERT INTO messages')) return query(asked)
    failures += 1
    words.add(asked.values && 'text' in asked.values && asked.values.text)
    if (failures === 2) db.query = query
    return Promise.reject(new Error('Connection terminated unexpectedly'))
  }
  const { id } = await buy(demo.t, demo.buyer, 'swift')
  await expect.poll(() => count(demo.t.ctx, 'messages WHERE activation_id = $1', [id])).toBe(1)
  expect(failures).toBe(2)
  // A retry with a different text under the same id would be dropped.
  const { rows } = await query<{ body: string }>({ text: 'SELECT body FROM messages' })
  expect([...words]).toEqual([rows[0]?.body])
  await expectBooksRight(demo.t.ctx)
})
