import { expect, test } from 'vitest'
import { HOUR, MINUTE, SECOND } from '#contract/time.ts'
import { catalogOf } from '#server/core/catalog/offers/catalog-index.ts'
import { followLinkSoon } from '#server/core/catalog/offers/follow-link.ts'
import { suppliersOf } from '#server/core/suppliers/running-suppliers.ts'
import { addSupplier } from '#server/programs/boot/start-suppliers.ts'
import { buyOne } from '#test/builders/activation-rows.ts'
import { fakeOffer } from '#test/fakes/fake-supplier.ts'
import { call, send } from '#test/harness/calls.ts'
import { startTestApp, type TestApp, type TestUser } from '#test/harness/harness.ts'
import { createTestClock } from '#test/harness/test-clock.ts'
import { typed, WHY } from '#test/harness/typed.ts'
import { flushHealth } from '../health/flush-health.ts'
import { healthBookOf } from '../health/health-book.ts'
import { loadHealth } from './load-health.ts'
import { tryAgain } from './try-again.ts'

const ONE = '77051112233'

async function fail(t: TestApp, user: TestUser, count: number): Promise<string[]> {
  const said: string[] = []
  for (let place = 0; place < count; place += 1) {
    said.push(
      await buyOne(t, user).then(
        () => 'bought',
        (error: unknown) => String(error),
      ),
    )
  }
  await t.ctx.background.idle()
  return said
}

async function eventsOf(t: TestApp, code: string): Promise<string[]> {
  const { out } = await typed(t.database, 'supplier:events', code, '--json')
  return out
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => (JSON.parse(line) as { kind: string }).kind)
    .toReversed()
}

test('five purchases in a row without an answer set a supplier aside; single ones try it and bring it back', async () => {
  await using t = await startTestApp()
  const user = await t.makeUser({ balance: '1000.00' })
  const supplier = await t.addFake('shaky')
  const { onBuy } = supplier
  supplier.onBuy = async () => {
    throw new Error('HTTP 502')
  }
  await fail(t, user, 4)
  expect(catalogOf(t.ctx).pair('tg', 2)?.count).toBe(100)
  await fail(t, user, 1)
  expect(catalogOf(t.ctx).pair('tg', 2)).toBeUndefined()
  expect(supplier.orders).toHaveLength(5)
  await tryAgain(t.ctx)
  expect(catalogOf(t.ctx).pair('tg', 2)).toBeUndefined()
  t.clock.advance(30 * SECOND)
  await tryAgain(t.ctx)
  const gate = Promise.withResolvers<void>()
  supplier.onBuy = async () => {
    await gate.promise
    throw new Error('HTTP 502')
  }
  const three = Promise.all([fail(t, user, 1), fail(t, user, 1), fail(t, user, 1)])
  await expect.poll(() => supplier.orders.length).toBe(6)
  expect(catalogOf(t.ctx).pair('tg', 2)).toBeUndefined()
  gate.resolve()
  await three
  expect(supplier.orders).toHaveLength(6)
  t.clock.advance(30 * SECOND)
  await tryAgain(t.ctx)
  expect(catalogOf(t.ctx).pair('tg', 2)).toBeUndefined()
  t.clock.advance(30 * SECOND)
  await tryAgain(t.ctx)
  supplier.onBuy = onBuy
  expect(await fail(t, user, 2)).toEqual(['bought', 'bought'])
  expect(healthBookOf(t.ctx).of(supplier.id).state).toBe('sound')
  expect(await eventsOf(t, 'shaky')).toEqual(['set-aside', 'trial-failed', 'returned'])
})

test('another supplier serves meanwhile, a refusal is no failure, and an answer ends the row', async () => {
  await using t = await startTestApp()
  const user = await t.makeUser({ balance: '1000.00' })
  const shaky = await t.addFake('shaky')
  const other = await t.addFake('other')
  let calls = 0
  const { onBuy } = shaky
  shaky.onBuy = async (order, signal) => {
    calls += 1
    if (calls % 5 === 0) return onBuy(order, signal)
    throw new Error('HTTP 502')
  }
  await fail(t, user, 9)
  expect(healthBookOf(t.ctx).of(shaky.id).state).toBe('sound')
  shaky.onBuy = async () => ({ outcome: 'refused', reason: 'no-numbers' })
  await fail(t, user, 6)
  expect(healthBookOf(t.ctx).of(shaky.id).state).toBe('sound')
  shaky.onBuy = async () => ({ outcome: 'refused', reason: 'no-funds' })
  expect(await fail(t, user, 6)).toEqual(new Array(6).fill('bought'))
  expect(healthBookOf(t.ctx).of(shaky.id).state).toBe('aside')
  expect(other.orders.length).toBeGreaterThan(10)
})

test("the operator's word wins: restored at the same moment, paused and removed; a restart changes nothing", async () => {
  await using t = await startTestApp()
  const user = await t.makeUser({ balance: '1000.00' })
  const supplier = await t.addFake('shaky')
  supplier.onBuy = async () => {
    throw new Error('HTTP 502')
  }
  await fail(t, user, 5)
  const before = healthBookOf(t.ctx).of(supplier.id)
  healthBookOf.forget(t.ctx)
  await loadHealth(t.ctx)
  expect(healthBookOf(t.ctx).of(supplier.id)).toEqual(before)
  expect(before).toMatchObject({ state: 'aside', cause: 'errors', falls: 1, version: 1 })
  expect(catalogOf(t.ctx).pair('tg', 2)).toBeUndefined()
  const said = await typed(t.database, 'supplier:restore', 'shaky', ...WHY)
  expect(said).toMatchObject({ code: 0, err: '' })
  t.clock.advance(30 * SECOND)
  await tryAgain(t.ctx)
  await fail(t, user, 1)
  expect(healthBookOf(t.ctx).of(supplier.id)).toMatchObject({ state: 'sound', version: 2 })
  expect(catalogOf(t.ctx).pair('tg', 2)?.count).toBe(100)
  await typed(t.database, 'supplier:pause', 'shaky', ...WHY)
  await fail(t, user, 5)
  expect(healthBookOf(t.ctx).of(supplier.id).state).toBe('sound')
  expect(await eventsOf(t, 'shaky')).toEqual(['set-aside', 'restored', 'paused'])
  await typed(t.database, 'supplier:resume', 'shaky', ...WHY)
  await fail(t, user, 5)
  expect(healthBookOf(t.ctx).of(supplier.id).state).toBe('aside')
  await typed(t.database, 'supplier:resume', 'shaky', ...WHY)
  await loadHealth(t.ctx)
  expect(healthBookOf(t.ctx).of(supplier.id).state).toBe('aside')
})

test('a hidden supplier comes back after a restart only when its time has come; calls are counted by the hour', async () => {
  await using t = await startTestApp({ clock: createTestClock(new Date().toISOString()) })
  const user = await t.makeUser({ balance: '1000.00' })
  const supplier = await t.addFake('shaky')
  supplier.onBuy = async () => {
    throw new Error('HTTP 502')
  }
  await fail(t, user, 5)
  await flushHealth(t.ctx)
  await flushHealth(t.ctx)
  const shown = await typed(t.database, 'supplier:show', 'shaky', '--json')
  expect(JSON.parse(shown.out)).toMatchObject({
    code: 'shaky',
    state: 'aside',
    cause: 'errors',
    calls: [
      { call: 'buy', calls: 5, errors: 5 },
      { call: 'refresh', errors: 0 },
    ],
  })
  expect((await typed(t.database, 'supplier:list')).out).toMatch(/SET ASIDE/)
  await suppliersOf(t.ctx).remove(supplier.id)
  await addSupplier(t.ctx, supplier)
  await loadHealth(t.ctx)
  expect(catalogOf(t.ctx).pair('tg', 2)).toBeUndefined()
  t.clock.advance(HOUR + MINUTE)
  await tryAgain(t.ctx)
  expect(catalogOf(t.ctx).pair('tg', 2)?.count).toBe(100)
})

test('a lost link hides the offers, and its return brings them back; both are told once, with the reason', async () => {
  await using t = await startTestApp()
  const supplier = await t.addFake('range')
  let link = { up: true, since: t.clock.now() }
  supplier.link = () => link
  const change = async (up: boolean) => {
    t.clock.advance(SECOND)
    link = { up, since: t.clock.now() }
    followLinkSoon(t.ctx, supplier.id)
    followLinkSoon(t.ctx, supplier.id)
    await t.ctx.background.idle()
  }
  await change(false)
  expect(catalogOf(t.ctx).pair('tg', 2)).toBeUndefined()
  await change(true)
  expect(catalogOf(t.ctx).pair('tg', 2)?.count).toBe(100)
  expect(await eventsOf(t, 'range')).toEqual(['link-down', 'link-up'])
})

test('a supplier that sells one number again and again is set aside', async () => {
  await using t = await startTestApp()
  const buyers = [await t.makeUser({ balance: '1000.00' }), await t.makeUser({ balance: '1000.00' })] as const
  const supplier = await t.addFake('shaky')
  supplier.onBuy = async (order) => ({ ...supplier.sell(order), phone: '77051112233' })
  expect(await fail(t, buyers[0], 1)).toEqual(['bought'])
  await fail(t, buyers[1], 4)
  expect(healthBookOf(t.ctx).of(supplier.id).state).toBe('sound')
  await fail(t, buyers[1], 1)
  expect(healthBookOf(t.ctx).of(supplier.id)).toMatchObject({ state: 'aside', cause: 'errors' })
  const { out } = await typed(t.database, 'supplier:events', 'shaky')
  expect(out).toContain('a number that is not taken')
})

test('numbers that are closed for a while hide no supplier: two accounts could do so for nothing', async () => {
  await using t = await startTestApp()
  const make = async (user: TestUser) => ({ ...user, token: await t.makeApiKey(user) })
  const [first, second] = [await make(await t.makeUser()), await make(await t.makeUser())]
  const honest = await make(await t.makeUser())
  const supplier = await t.addFake('shaky', [fakeOffer, { ...fakeOffer, serviceCode: 'wa' }])
  supplier.onBuy = async (order) => ({ ...supplier.sell(order), ...(order.serviceCode === 'wa' && { phone: ONE }) })
  const buy = (user: TestUser) => send(t, 'POST /api/v1/activations', { service_id: 'wa', country_id: 2 }, user)
  for (const [end, owner, other] of [
    ['cancel', first, second],
    ['used', second, second],
    ['used', first, honest],
  ] as const) {
    const { body } = await buy(owner)
    const { id } = (body as { data: { id: number } }).data
    t.clock.advance(2 * MINUTE)
    await call(t, `POST /api/v1/activations/{id}/${end}`, { id }, owner)
    for (let place = 0; place < 6; place += 1) expect((await buy(other)).body).toMatchObject({ code: 'NO_NUMBERS' })
    expect([end, healthBookOf(t.ctx).of(supplier.id).state]).toEqual([end, 'sound'])
    await buyOne(t, honest)
    t.clock.advance(21 * MINUTE)
  }
})
