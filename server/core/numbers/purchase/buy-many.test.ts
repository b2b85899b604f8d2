import { expect, test } from 'vitest'
import { MINUTE, SECOND } from '#contract/time.ts'
import { setBlocked } from '#server/core/accounts/users/queries.ts'
import { ACCESS_LIFETIME_MS } from '#server/house/http/cookies.ts'
import { count, expectBooksRight, moneyOf } from '#test/builders/activation-rows.ts'
import { call, refused, send } from '#test/harness/calls.ts'
import { beginTestSession, startTestApp, type TestApp, type TestUser } from '#test/harness/harness.ts'

const BULK = 'POST /api/v1/activations/bulk'
const TELEGRAM = { service_id: 'tg', country_id: 2 }
const OWN = 'activations WHERE user_id = $1'

test('each item is settled for itself: numbers for what can be bought, and a reason for each that cannot', async () => {
  await using t = await startTestApp()
  await t.addFake()
  const buyer = await t.makeUser({ balance: '40.00' })
  const items = [
    TELEGRAM,
    { ...TELEGRAM, service_id: 'nothing' },
    { ...TELEGRAM, max_price: '12.99' },
    { ...TELEGRAM, max_price: 'cheap' },
    TELEGRAM,
    TELEGRAM,
    TELEGRAM,
  ]
  const { data } = await call(t, BULK, { items }, { ...buyer, locale: 'en' })
  expect(data.bought).toBe(3)
  const codes = data.items.map((item) => (item.status ? item.data.state : item.code))
  expect(codes.slice(1, 4)).toEqual(['BAD_SERVICE', 'MAX_PRICE_TOO_LOW', 'INVALID_INPUT'])
  // Items are bought in parallel, so any of the four may find the money spent.
  expect([codes[0], ...codes.slice(4)].sort()).toEqual(['NO_BALANCE', 'waiting', 'waiting', 'waiting'])
  expect(data.items[3]).toMatchObject({ errors: { max_price: [expect.any(String)] } })
  const ids = data.items.flatMap((item) => (item.status ? [item.data.id] : []))
  expect(new Set(ids).size).toBe(3)
  expect(await moneyOf(t, buyer)).toEqual({ balance: '1.00', held: '39.00' })
  await expectBooksRight(t.ctx)
})

test('a repeat with the same key buys nothing twice, and other items under it are refused one by one', async () => {
  await using t = await startTestApp()
  await t.addFake()
  const buyer = await t.makeUser({ balance: '100.00' })
  const options = { ...buyer, idempotencyKey: 'order-0001' }
  const items = [TELEGRAM, TELEGRAM]
  const first = await call(t, BULK, { items }, options)
  expect(await call(t, BULK, { items }, options)).toEqual(first)
  const changed = await call(t, BULK, { items: [TELEGRAM, { ...TELEGRAM, max_price: '90' }] }, options)
  expect(changed.data).toMatchObject({ bought: 1, items: [first.data.items[0], { code: 'IDEMPOTENCY_CONFLICT' }] })
  expect(await count(t.ctx, OWN, [buyer.id])).toBe(2)
  await call(t, 'POST /api/v1/activations', TELEGRAM, options)
  expect(await count(t.ctx, OWN, [buyer.id])).toBe(3)
})

test('one bulk purchase of a person at a time; what is not begun within a minute is left for the repeat', async () => {
  await using t = await startTestApp()
  const supplier = await t.addFake()
  const buyer = await t.makeUser({ balance: '1000.00' })
  const options = { ...buyer, idempotencyKey: 'order-0002' }
  const gate = Promise.withResolvers<void>()
  const asked = Promise.withResolvers<void>()
  let orders = 0
  supplier.onBuy = async (order) => {
    orders += 1
    if (orders === 5) asked.resolve()
    await gate.promise
    return supplier.sell(order)
  }
  const items = Array.from({ length: 8 }, () => TELEGRAM)
  const slow = call(t, BULK, { items }, options)
  await asked.promise
  expect(await refused(t, BULK, { items }, buyer)).toMatchObject({ status: 429, retryAfter: '2' })
  t.clock.advance(MINUTE + 1)
  gate.resolve()
  const { data } = await slow
  expect(data.bought).toBe(5)
  expect(data.items.slice(5)).toMatchObject(Array.from({ length: 3 }, () => ({ code: 'TOO_MANY_REQUESTS' })))
  expect((await call(t, BULK, { items }, options)).data.bought).toBe(8)
  expect(await count(t.ctx, OWN, [buyer.id])).toBe(8)
  await expectBooksRight(t.ctx)
})

type Cut = { t: TestApp; key: { id: number; token: string }; owner: TestUser; session: TestUser }
const CUTS: [by: 'key' | 'session', told: string, cut: (cut: Cut) => unknown][] = [
  [
    'key',
    'FORBIDDEN',
    ({ t, key: { id }, owner }) => call(t, 'PATCH /api/v1/keys/{id}', { id, scopes: ['read'] }, owner),
  ],
  ['key', 'UNAUTHENTICATED', ({ t, key: { id }, owner }) => call(t, 'DELETE /api/v1/keys/{id}', { id }, owner)],
  ['session', 'UNAUTHENTICATED', ({ t, session }) => call(t, 'POST /api/logout', {}, session)],
  ['session', 'BLOCKED', ({ t, owner: { id } }) => setBlocked(t.ctx.db, { userId: id, blockedAt: t.clock.now() })],
]

test.each(CUTS)('by a %s that ends while it lasts: what was begun, and %s for the rest', async (by, told, cut) => {
  await using f = await startHeld()
  const reply = call(f.t, BULK, { items: f.items }, by === 'key' ? f.key : f.session)
  await f.asked
  await cut(f)
  f.open()
  const { data } = await reply
  expect(data.items.slice(0, 5)).toMatchObject(Array.from({ length: 5 }, () => ({ status: true })))
  expect(data.items.slice(5)).toMatchObject(Array.from({ length: 3 }, () => ({ status: false, code: told })))
  await expectBooksRight(f.t.ctx)
})

test('a session goes on when the token that began the purchase expires', async () => {
  await using f = await startHeld()
  const { t, session } = f
  t.clock.advance(ACCESS_LIFETIME_MS - 10 * SECOND)
  const reply = call(t, BULK, { items: f.items }, session)
  await f.asked
  t.clock.advance(20 * SECOND)
  expect((await refused(t, 'GET /api/user', {}, session)).status).toBe(401)
  f.open()
  expect((await reply).data.bought).toBe(8)
  await expectBooksRight(t.ctx)
})

test('for a program that has hung up nothing more is begun, and it may come again', async () => {
  await using f = await startHeld()
  const { t, key, owner } = f
  const [hangUp, gone] = [new AbortController(), Promise.withResolvers<void>()]
  t.app.server.once('request', (_request, reply) => reply.once('close', gone.resolve))
  const headers = { 'content-type': 'application/json', 'idempotency-key': 'order-0003' }
  const init = { method: 'POST', headers, body: JSON.stringify({ items: f.items }), token: key.token }
  const reply = t.fetch('/api/v1/activations/bulk', { ...init, signal: hangUp.signal })
  await f.asked
  hangUp.abort()
  await expect(reply).rejects.toThrow()
  await gone.promise
  f.open()
  const one = () => send(t, BULK, { items: [TELEGRAM] }, owner)
  await expect.poll(async () => (await one()).response.status).toBe(200)
  expect(await count(t.ctx, OWN, [owner.id])).toBe(6)
  const again = await call(t, BULK, { items: f.items }, { ...key, idempotencyKey: 'order-0003' })
  expect([again.data.bought, await count(t.ctx, OWN, [owner.id])]).toEqual([8, 9])
  await expectBooksRight(t.ctx)
})

async function startHeld() {
  const t = await startTestApp()
  const supplier = await t.addFake()
  const owner = await t.makeUser({ balance: '1000.00' })
  const session = { ...owner, ...(await beginTestSession(t.ctx, owner.id)) }
  const made = await call(t, 'POST /api/v1/keys', { name: 'Shop', scopes: ['buy'] }, owner)
  const [gate, asked] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  let orders = 0
  supplier.onBuy = async (order) => {
    orders += 1
    if (orders === 5) asked.resolve()
    await gate.promise
    return supplier.sell(order)
  }
  return {
    t,
    owner,
    session,
    key: { id: made.data.id, token: made.secret },
    items: Array.from({ length: 8 }, () => TELEGRAM),
    asked: asked.promise,
    open: gate.resolve,
    [Symbol.asyncDispose]: () => t[Symbol.asyncDispose](),
  }
}

test('bad lists are refused whole', async () => {
  await using t = await startTestApp()
  await t.addFake()
  const buyer = await t.makeUser({ balance: '1000.00' })
  const tooMany = Array.from({ length: 51 }, () => TELEGRAM)
  for (const items of [undefined, [], 'tg', {}, [null], [{ ...TELEGRAM, nope: 1 }], [{ service_id: 'tg' }], tooMany]) {
    expect(await refused(t, BULK, { items }, buyer)).toMatchObject({ status: 422, body: { code: 'INVALID_INPUT' } })
  }
  expect(await count(t.ctx, OWN, [buyer.id])).toBe(0)
})
