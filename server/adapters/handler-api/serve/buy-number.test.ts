import { expect, test } from 'vitest'
import { sweepReserving } from '#server/core/numbers/purchase/activation-orphans.ts'
import type { Query } from '#server/house/db/pool.ts'
import { fakeOffer } from '#test/fakes/fake-supplier.ts'
import { startProtocolTest } from '#test/services/handler-api-service.ts'

const tg = { service: 'tg', country: '2' }
const operators = [
  { ...fakeOffer, operator: 'altel', costMicros: 10_000_000n },
  { ...fakeOffer, operator: 'Beeline', costMicros: 20_000_000n },
]

test('C-1, C-4: getNumberV2 answers each field in its type, and amounts with exactly their decimals', async () => {
  await using p = await startProtocolTest()
  const reply = await p.ask('getNumberV2', tg)
  const id = /^\{"activationId":"(\d+)",/.exec(reply)?.[1]
  const phone = p.supplier.sold.get(`${id}-1`)?.phone
  expect(reply).toBe(
    `{"activationId":"${id}","phoneNumber":"${phone}","activationCost":13.00,"currency":643,"countryCode":2,` +
      '"countryPhoneCode":7,"canGetAnotherSms":true,"activationTime":"2026-03-01 12:00:00",' +
      '"activationEndTime":"2026-03-01 12:20:00","activationOperator":"altel","status":"success"}',
  )
})

test('a price in dollars keeps four decimals', async () => {
  const offer = { ...fakeOffer, costMicros: 5_200n, currency: 'usd' } as const
  await using p = await startProtocolTest({ currency: 'usd', balance: '1.00', offers: [offer] })
  expect(await p.ask('getPrices', tg)).toBe('{"2":{"tg":{"cost":0.0068,"count":100,"physicalCount":100}}}')
  expect(await p.ask('getNumberV2', tg)).toContain('"activationCost":0.0068,"currency":840,')
  expect(await p.ask('getBalance')).toBe('ACCESS_BALANCE:0.9932')
})

test('the first operator of the list that has numbers serves; when none has, any does', async () => {
  await using p = await startProtocolTest({ offers: operators })
  const bought = async (operator: string) => {
    await p.buy({ operator })
    return p.supplier.orders.at(-1)?.operator
  }
  expect(await bought('beeline')).toBe('Beeline')
  expect(await bought('nosuch, BEELINE,altel')).toBe('Beeline')
  expect(await bought('nosuch,other')).toBe('altel')
  expect(await bought('any,beeline')).toBe('altel')
  expect(await bought(`'; DROP TABLE activations; --`)).toBe('altel')
})

test('maxPrice is a ceiling: the lowest price is paid, whatever the ceiling, fixedPrice or freePrice say', async () => {
  await using p = await startProtocolTest({ offers: operators })
  await p.buy({ maxPrice: '50', fixedPrice: 'true', freePrice: '1', minPrice: '40' })
  expect(await p.ask('getBalance')).toBe('ACCESS_BALANCE:87.00')
  await p.buy({ maxPrice: '13.000000000000002' })
  expect(await p.ask('getBalance')).toBe('ACCESS_BALANCE:74.00')
  expect(await p.ask('getNumber', { ...tg, operator: 'beeline', maxPrice: '13' })).toBe('WRONG_MAX_PRICE:26.00')
})

test('W-1: max_price is a ceiling as well, the lower of two counts, and an area or a carrier is not sold', async () => {
  await using p = await startProtocolTest()
  for (const action of ['getNumber', 'getNumberV2']) {
    expect(await p.ask(action, { ...tg, max_price: '12.99' })).toBe('WRONG_MAX_PRICE:13.00')
    expect(await p.ask(action, { ...tg, max_price: 'cheap' })).toBe('WRONG_MAX_PRICE:13.00')
    expect(await p.ask(action, { ...tg, max_price: '50', maxPrice: '1' })).toBe('WRONG_MAX_PRICE:13.00')
    expect(await p.ask(action, { ...tg, max_price: '1', maxPrice: '50' })).toBe('WRONG_MAX_PRICE:13.00')
    expect(await p.ask(action, { ...tg, areas: '503,202' })).toBe('NO_NUMBERS')
    expect(await p.ask(action, { ...tg, carriers: 'vz' })).toBe('NO_NUMBERS')
  }
  expect(p.supplier.orders).toEqual([])
  await p.buy({ max_price: '13', areas: '', carriers: 'null' })
  expect(await p.ask('getBalance')).toBe('ACCESS_BALANCE:87.00')
})

test('a number with an excluded prefix is never handed over: another is, or nothing is charged', async () => {
  await using p = await startProtocolTest({ offers: operators })
  const excluded = '77051'
  const phones = ['77051000001', '77052000001']
  p.supplier.onBuy = async (order) => ({ ...p.supplier.sell(order), phone: phones.shift() ?? '77051999999' })
  const { id, phone } = await p.buy({ phoneException: `9999,${excluded}`, operator: 'beeline' }).catch(() => ({
    id: '',
    phone: '',
  }))
  expect([id, phone]).toEqual(['', ''])
  expect(await p.ask('getBalance')).toBe('ACCESS_BALANCE:100.00')
  expect((await p.buy({ phoneException: excluded })).phone).toBe('77052000001')
  await p.t.runJobs()
  expect(p.supplier.finds).toEqual([p.supplier.orders[0]?.reference])
  expect(p.supplier.ended.map(({ ending }) => ending)).toEqual(['unsold'])
})

test('when the first operator of the list has only an excluded number, or none, the next one is asked', async () => {
  await using p = await startProtocolTest({ offers: operators })
  p.supplier.onBuy = async (order) => ({
    ...p.supplier.sell(order),
    phone: order.operator === 'Beeline' ? '77051000001' : '77052000001',
  })
  const { phone } = await p.buy({ phoneException: '77051', operator: 'beeline,altel', orderId: 'order 9' })
  expect([phone, p.supplier.orders.map(({ operator }) => operator)]).toEqual(['77052000001', ['Beeline', 'altel']])
  expect(await p.ask('getBalance')).toBe('ACCESS_BALANCE:87.00')
  const again = { ...tg, phoneException: '77051', operator: 'beeline,altel', orderId: 'order 9' }
  expect(await p.ask('getNumber', again)).toBe('ORDER_ALREADY_EXISTS')
  p.supplier.onBuy = async () => ({ outcome: 'refused', reason: 'no-numbers' })
  expect(await p.ask('getNumber', { ...tg, operator: 'beeline,altel,beeline' })).toBe('NO_NUMBERS')
  expect(p.supplier.orders.slice(2).map(({ operator }) => operator)).toEqual(['Beeline', 'altel'])
  expect(await p.ask('getBalance')).toBe('ACCESS_BALANCE:87.00')
})

test('with an excluded number from one supplier the next supplier is asked', async () => {
  await using p = await startProtocolTest()
  const dearer = await p.t.addFake('dearer', [{ ...fakeOffer, costMicros: 11_000_000n }])
  p.supplier.onBuy = async (order) => ({ ...p.supplier.sell(order), phone: '77051000001' })
  const { phone } = await p.buy({ phoneException: '77051' })
  expect(phone).toBe(dearer.sell(dearer.orders[0] ?? expect.fail('the second supplier was not asked')).phone)
  expect(await p.ask('getBalance')).toBe('ACCESS_BALANCE:87.00')
  await p.t.runJobs()
  expect(p.supplier.ended.map(({ ending }) => ending)).toEqual(['unsold'])
})

test('twenty requests at once with one orderId buy one number', async () => {
  await using p = await startProtocolTest()
  const ask = () => p.ask('getNumberV2', { ...tg, orderId: 'order 7' })
  const replies = await Promise.all(Array.from({ length: 20 }, ask))
  expect(replies.filter((reply) => reply.startsWith('{"activationId":'))).toHaveLength(1)
  expect(replies.filter((reply) => reply === 'ORDER_ALREADY_EXISTS')).toHaveLength(19)
  expect(p.supplier.orders).toHaveLength(1)
  expect(await p.ask('getNumber', { ...tg, orderId: 'order 7' })).toBe('ORDER_ALREADY_EXISTS')
  expect(await p.ask('getNumberV2', { ...tg, orderId: 'order 7', maxPrice: '50' })).toBe('ORDER_ALREADY_EXISTS')
  expect(await p.ask('getBalance')).toBe('ACCESS_BALANCE:87.00')
  expect(await p.ask('getNumberV2', { ...tg, orderId: 'order 8' })).toContain('"activationId":')
})

test('an order that is stored before this process has heard of it is waited for', async () => {
  await using p = await startProtocolTest()
  const { db } = p.t.ctx
  const query = db.query.bind(db)
  const stored = Promise.withResolvers<void>()
  const looked = Promise.withResolvers<void>()
  db.query = async <Row>(asked: Query) => {
    const result = await query<Row>(asked)
    if (asked.name === 'activation-find-by-key' && result.rowCount === 1) looked.resolve()
    if (asked.name === 'activation-reserve') {
      stored.resolve()
      await looked.promise
      // A wrong reply to the second request needs no SQL, so the reply would arrive before these queries end.
      for (let turn = 0; turn < 20; turn += 1) await query({ text: 'SELECT 1' })
    }
    return result
  }
  const ask = () => p.ask('getNumberV2', { ...tg, orderId: 'order 7' })
  const first = ask()
  await stored.promise
  expect(await ask()).toBe('ORDER_ALREADY_EXISTS')
  expect(await first).toContain('"activationId":')
})

test('the same orderId of another buyer is another order', async () => {
  await using p = await startProtocolTest()
  const key = await p.t.makeApiKey(await p.t.makeUser())
  expect(await p.ask('getNumberV2', { ...tg, orderId: '7' })).toContain('"activationId":')
  expect(await p.ask('getNumberV2', { ...tg, orderId: '7', api_key: key })).toContain('"activationId":')
})

test('an order that found no number can be tried again under its orderId', async () => {
  await using p = await startProtocolTest()
  p.supplier.onBuy = async () => ({ outcome: 'refused', reason: 'no-numbers' })
  expect(await p.ask('getNumberV2', { ...tg, orderId: '7' })).toBe('NO_NUMBERS')
  p.supplier.onBuy = async (order) => p.supplier.sell(order)
  expect(await p.ask('getNumberV2', { ...tg, orderId: '7' })).toContain('"activationId":')
  expect(await p.ask('getNumberV2', { ...tg, orderId: '7' })).toBe('ORDER_ALREADY_EXISTS')
  expect(await p.ask('getBalance')).toBe('ACCESS_BALANCE:87.00')
})

test('R-I: while an order is under way nothing is said of it: a repeat hears what the first one does', async () => {
  await using p = await startProtocolTest()
  const asked = Promise.withResolvers<void>()
  const answered = Promise.withResolvers<void>()
  p.supplier.onBuy = async () => {
    asked.resolve()
    await answered.promise
    return { outcome: 'refused', reason: 'no-numbers' }
  }
  const looked = Promise.withResolvers<void>()
  const { db } = p.t.ctx
  const query = db.query.bind(db)
  let looks = 0
  db.query = async (statement) => {
    const found = await query<never>(statement)
    if (statement.name === 'activation-find-by-key') looks += 1
    if (looks === 2) looked.resolve()
    return found
  }
  const first = p.ask('getNumber', { ...tg, orderId: '7' })
  await asked.promise
  const repeat = p.ask('getNumberV2', { ...tg, orderId: '7' })
  await looked.promise
  answered.resolve()
  expect(await Promise.all([first, repeat])).toEqual(['NO_NUMBERS', 'NO_NUMBERS'])
  expect(p.supplier.orders).toHaveLength(1)
})

test('R-I: of an order that a lost database left behind nothing is known until the sweep has asked', async () => {
  await using p = await startProtocolTest()
  const { db } = p.t.ctx
  const query = db.query.bind(db)
  db.query = async (statement) => {
    if (statement.name === 'activation-settle' || statement.name === 'activation-fail') throw new Error('it is away')
    return query(statement)
  }
  expect(await p.ask('getNumber', { ...tg, orderId: '7' })).toBe('ERROR_SQL')
  db.query = query
  const asking = { api_key: p.key, action: 'getNumber', ...tg, orderId: '7' }
  const reply = await p.t.fetch(`/stubs/handler_api.php?${new URLSearchParams(asking)}`)
  expect([reply.status, reply.headers.get('retry-after'), await reply.text()]).toEqual([503, '5', 'ERROR_SQL'])
  p.t.clock.advance(1)
  expect(await sweepReserving(p.t.ctx)).toBe(1)
  expect(await p.ask('getNumber', { ...tg, orderId: '7' })).toBe('ORDER_ALREADY_EXISTS')
  expect(p.supplier.orders).toHaveLength(1)
})

test('a purchase asks the database for nothing but what it writes', async () => {
  await using p = await startProtocolTest()
  await p.ask('getBalance')
  const { db } = p.t.ctx
  const names: (string | undefined)[] = []
  p.t.ctx.db = Object.create(db, {
    query: {
      value: (query: Parameters<typeof db.query>[0]) => {
        names.push(query.name)
        return db.query(query)
      },
    },
  })
  await p.buy()
  // A cached API key is not read from the database again.
  expect(names.filter((name) => name !== undefined && name !== 'api-key-owner')).toEqual([
    'activation-reserve',
    'activation-settle',
  ])
})
