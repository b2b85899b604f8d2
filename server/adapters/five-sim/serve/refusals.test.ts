import { expect, test } from 'vitest'
import { DAY, MINUTE } from '#contract/time.ts'
import { insertPause } from '#server/core/numbers/limits/pause-queries.ts'
import { buyingOf } from '#server/core/numbers/sourcing/buying-stopped.ts'
import { expectBooksRight, moneyOf } from '#test/builders/activation-rows.ts'
import { fakeRentOffer, fakeRentOffers } from '#test/fakes/fake-rent.ts'
import { fakeOffer } from '#test/fakes/fake-supplier.ts'
import { call } from '#test/harness/calls.ts'
import { startFiveSimTest } from '#test/services/five-sim-service.ts'
import { fiveSimCalls } from './calls.ts'

const TELEGRAM = '/user/buy/activation/kazakhstan/any/telegram'
const OPEN_TO: Readonly<Record<string, 'read' | 'buy'>> = {
  '/user/profile': 'read',
  '/user/orders': 'read',
  '/user/payments': 'read',
  '/user/sms/inbox/:id': 'read',
  '/user/check/:id': 'read',
  '/user/finish/:id': 'buy',
  '/user/cancel/:id': 'buy',
  '/user/ban/:id': 'buy',
  '/user/buy/activation/:country/:operator/:product': 'buy',
  '/user/buy/hosting/:country/:operator/:product': 'buy',
  '/user/reuse/:product/:number': 'buy',
}

test('17.3: each call of an account needs a key of its scope; every other is told alike, and none of them buys', async () => {
  await using f = await startFiveSimTest()
  const keyOf = async (scope: 'read' | 'buy') =>
    (await call(f.t, 'POST /api/v1/keys', { name: scope, scopes: [scope] }, { token: f.buyer.token })).secret
  const keys = { read: await keyOf('read'), buy: await keyOf('buy') }
  for (const { access, method, path } of fiveSimCalls) {
    if (access === 'guest') continue
    const scope = OPEN_TO[path] ?? (method === 'GET' ? 'read' : 'buy')
    const other = scope === 'read' ? keys.buy : keys.read
    const asked = path.replaceAll(/:\w+/g, 'any')
    const bare = await f.t.fetch(`/v1${asked}`, { method })
    expect({ asked, status: bare.status, body: await bare.text() }).toEqual({ asked, status: 401, body: '' })
    for (const token of [other, 'a'.repeat(32), 'no key', f.buyer.token]) {
      expect(await f.ask(asked, { method, token })).toMatchObject({ status: 401, body: '' })
    }
    expect({ asked, ...(await f.ask(asked, { method, token: keys[scope] })) }).not.toMatchObject({ status: 401 })
  }
  expect(f.supplier.orders).toEqual([])
})

test('17.3: what cannot be bought is refused by the field’s word', async () => {
  await using f = await startFiveSimTest({ rentOffers: fakeRentOffers, balance: '13' })
  const activation = '/user/buy/activation'
  const hosting = '/user/buy/hosting'
  const said: [path: string, body: string, status?: number][] = [
    [`${activation}//any/telegram`, 'select country'],
    [`${activation}/undefined/any/telegram`, 'bad country'],
    [`${activation}/kazakhstan//telegram`, 'select operator'],
    [`${activation}/kazakhstan/any/`, 'no product'],
    [`${activation}/atlantis/any/telegram`, 'bad country'],
    [`${activation}/kazakhstan/nobody/telegram`, 'bad operator'],
    [`${activation}/kazakhstan/any/nothing`, 'no product'],
    [`${activation}/kazakhstan/any/1day`, 'no product'],
    [`${activation}/kazakhstan/any/fullrent`, 'no product'],
    [`${activation}/kazakhstan/altel/whatsapp`, 'no free phones', 200],
    [`${activation}/england/any/telegram`, 'no free phones', 200],
    [`${activation}/any/any/whatsapp`, 'no free phones', 200],
    [`${TELEGRAM}?forwarding=1&number=79000000000`, 'no free phones', 200],
    [`${TELEGRAM}?voice=1`, 'no free phones', 200],
    [`${TELEGRAM}?maxPrice=12.99`, 'no free phones', 200],
    [`${TELEGRAM}?maxPrice=-1`, 'no free phones', 200],
    [`${TELEGRAM}?maxPrice=1e9`, 'no free phones', 200],
    [`${activation}/kazakhstan/altel/telegram?maxPrice=12.99`, 'no free phones', 200],
    [`${hosting}/kazakhstan/any/telegram`, 'no product'],
    [`${hosting}/kazakhstan/nobody/1day`, 'bad operator'],
    [`${hosting}/kazakhstan/any/10days`, 'no free phones', 200],
    [`${hosting}/atlantis/any/1day`, 'bad country'],
    [`${hosting}/kazakhstan/any/1day?maxPrice=129`, 'no free phones', 200],
    [`${hosting}/kazakhstan/any/1day`, 'not enough user balance'],
    ['/user/reuse/telegram/12', 'reuse not possible'],
    ['/user/reuse/telegram/77050000000', 'reuse not possible'],
    ['/user/reuse/nothing/77050000000', 'no product'],
  ]
  for (const [path, body, status = 400] of said) {
    expect({ path, ...(await f.ask(path)) }).toEqual({ path, status, type: 'text/plain; charset=utf-8', body })
  }
  expect(f.supplier.orders).toEqual([])
  expect((await f.ask(`${TELEGRAM}?maxPrice=undefined&forwarding=0&voice=false&ref=&reuse=null`)).body).toMatchObject({
    status: 'PENDING',
  })
  expect(await f.ask(TELEGRAM)).toMatchObject({ status: 400, body: 'not enough user balance' })
  await expectBooksRight(f.t.ctx)
})

test('17.3: orders: unknown, of others, rented, in the wrong state', async () => {
  await using f = await startFiveSimTest({ rentOffers: fakeRentOffers, balance: '1000' })
  const stranger = await f.t.makeApiKey(await f.t.makeUser())
  const wait = await f.buy()
  const rented = await f.buy('/user/buy/hosting/kazakhstan/altel/1day')
  const full = await f.buy()
  await f.sms(full.phone)
  const ended = await f.buy()
  await f.sms(ended.phone)
  await f.ask(`/user/finish/${ended.id}`)
  const refusal = async (path: string, token = f.key) => {
    const { status, body } = await f.ask(path, { token })
    return `${status} ${body}`
  }
  for (const id of ['1', 'abc', '-1', '9'.repeat(30), `${wait.id}.0`, '%00', '%D9%A3']) {
    expect(await refusal(`/user/check/${id}`)).toMatch(/^(404 order not found|400 bad request)$/)
    for (const name of ['finish', 'cancel', 'ban', 'sms/inbox']) {
      expect(await refusal(`/user/${name}/${id}`)).toMatch(/^400 (order not found|bad request)$/)
    }
  }
  for (const { id } of [wait, rented, full, ended]) {
    expect(await refusal(`/user/check/${id}`, stranger)).toBe('404 order not found')
    for (const name of ['finish', 'cancel', 'ban', 'sms/inbox']) {
      expect(await refusal(`/user/${name}/${id}`, stranger)).toBe('400 order not found')
    }
  }
  f.t.clock.advance(2 * MINUTE)
  for (const [name, { id }, word] of [
    ['finish', wait, 'order no sms'],
    ['finish', rented, 'hosting order'],
    ['cancel', rented, 'hosting order'],
    ['cancel', full, 'order has sms'],
    ['cancel', ended, 'order expired'],
    ['ban', rented, 'hosting order'],
    ['ban', full, 'order has sms'],
    ['ban', ended, 'order expired'],
  ] as const) {
    expect(await refusal(`/user/${name}/${id}`)).toBe(`400 ${word}`)
  }
  expect((await f.ask(`/user/check/${rented.id}`)).body).toMatchObject({ status: 'PENDING', product: '1day', sms: [] })
})

test('17.3: the rating falls with each pause, and is 0 exactly when nothing can be bought', async () => {
  await using f = await startFiveSimTest({
    offers: [fakeOffer, { ...fakeOffer, serviceCode: 'wa' }],
    environment: { MAX_OPEN_NUMBERS: '2' },
  })
  const rating = async () => ((await f.ask('/user/profile')).body as { rating: number }).rating
  const now = f.t.clock.now()
  const pause = { userId: f.buyer.id, serviceCode: 'tg', countryId: 2, purchases: 50, codes: 0 }
  expect(await rating()).toBe(96)
  await insertPause(f.t.ctx.db, { ...pause, now, until: new Date(now.getTime() + DAY) })
  expect(await rating()).toBe(92)
  expect(await f.ask(TELEGRAM)).toMatchObject({ status: 200, body: 'no free phones' })
  const other = await f.buy('/user/buy/activation/kazakhstan/any/whatsapp')
  await f.buy('/user/buy/activation/kazakhstan/any/whatsapp')
  expect(await rating()).toBe(0)
  expect(await f.ask('/user/buy/activation/kazakhstan/any/whatsapp')).toMatchObject({
    status: 400,
    body: 'not enough rating',
  })
  await f.ask(`/user/ban/${other.id}`)
  expect(await rating()).toBe(92)
  buyingOf(f.t.ctx).stopped = true
  expect(await f.ask('/user/buy/activation/kazakhstan/any/whatsapp')).toMatchObject({
    status: 400,
    body: 'server offline',
  })
  expect(await moneyOf(f.t, f.buyer)).toEqual({ balance: '87.00', held: '13.00' })
})

test('17.3: any country is none that has to pause for the buyer', async () => {
  const [dear, dearDay] = [
    { ...fakeOffer, countryId: 16, costMicros: 20_000_000n },
    { ...fakeRentOffer, countryId: 16, costMicros: 200_000_000n },
  ]
  await using f = await startFiveSimTest({
    offers: [fakeOffer, dear],
    rentOffers: [fakeRentOffer, dearDay],
    balance: '1000',
  })
  const paths = ['/user/buy/activation/any/any/telegram', '/user/buy/hosting/any/any/1day']
  const bought = async () => (await Promise.all(paths.map((path) => f.buy(path)))).map(({ country }) => country)
  expect(await bought()).toEqual(['kazakhstan', 'kazakhstan'])
  const now = f.t.clock.now()
  const pause = { userId: f.buyer.id, countryId: 2, purchases: 50, codes: 0, now, until: new Date(now.getTime() + DAY) }
  for (const serviceCode of ['tg', 'full']) await insertPause(f.t.ctx.db, { ...pause, serviceCode })
  expect(await bought()).toEqual(['england', 'england'])
  await insertPause(f.t.ctx.db, { ...pause, countryId: 16, serviceCode: 'tg' })
  expect((await f.ask('/user/buy/activation/any/any/telegram')).body).toBe('no free phones')
  await expectBooksRight(f.t.ctx)
})
