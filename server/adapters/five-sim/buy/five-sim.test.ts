import { expect, test, vi } from 'vitest'
import { sumLosses } from '#server/adapters/shared/resold/queries/accounts.ts'
import { findOrder } from '#server/adapters/shared/resold/queries/orders.ts'
import { cancelActivation } from '#server/core/numbers/activations/cancel.ts'
import { findActivation } from '#server/core/numbers/activations/queries/read.ts'
import { sweepExpired } from '#server/core/numbers/activations/sweep.ts'
import { buyActivation } from '#server/core/numbers/purchase/buy.ts'
import { expectBooksRight } from '#test/builders/activation-rows.ts'
import { addFiveSim, heldOf, messagesOf, orderOf, signal } from '#test/builders/suppliers/five-sim-supplier.ts'
import { startTestApp, type TestApp } from '#test/harness/harness.ts'

const wanted = { serviceCode: 'tg', countryId: 2, operator: null, currency: 'rub', channel: 'site' } as const

async function buy(t: TestApp) {
  const { id: userId } = await t.makeUser()
  const { activation } = await buyActivation(t.ctx, { ...wanted, userId })
  const activationId = Number(activation.id)
  const stateOf = async () => (await findActivation(t.ctx.db, { id: activationId, userId }))?.state
  return { userId, activationId, activation, stateOf }
}

test('prices, a number below the ceiling, several messages of one order, and its end', async () => {
  await using t = await startTestApp()
  await using five = await addFiveSim(t)
  const { house, supplier } = five
  expect(await supplier.listOffers(signal)).toEqual([
    { serviceCode: 'tg', countryId: 2, operator: 'mixed', costMicros: 12_500_000n, currency: 'rub', stock: 40 },
  ])
  const bought = await supplier.buy(orderOf(t, '17-1'), signal)
  const number = heldOf(house, '17-1')
  expect(bought).toEqual({
    outcome: 'bought',
    supplierReference: number.supplierReference,
    phone: number.phone,
    operator: 'mixed',
    costMicros: 12_500_000n,
    expiresAt: new Date(t.clock.now().getTime() + 900_000),
  })
  const texts = ['Telegram code: 48213', 'Again: 48213', 'Again: 48213']
  for (const [place, text] of texts.entries()) {
    if (place > 0) expect(await supplier.askAgain(number, signal)).toBe(true)
    house.send(text)
    await vi.waitUntil(async () => (await messagesOf(t, supplier.id)).length === place + 1, { timeout: 10_000 })
  }
  const looks = house.asked.length
  await vi.waitUntil(() => house.asked.length > looks + 4, { timeout: 10_000 })
  expect(await messagesOf(t, supplier.id)).toEqual(texts.map((body) => ({ body, reference: '17-1' })))
  await supplier.end(number, 'finished', signal)
  await supplier.end(number, 'finished', signal)
  expect([...house.sold.values()].map(({ status }) => status)).toEqual(['FINISHED'])
  expect(await supplier.askAgain(number, signal)).toBe(false)
  expect(house.complaints).toEqual([])
})

test('open numbers are looked at by one page; what lies too far back, one by one', async () => {
  await using t = await startTestApp()
  await using five = await addFiveSim(t)
  const { house, supplier } = five
  await supplier.buy(orderOf(t, '1-1'), signal)
  const [first] = house.sold.values()
  if (first === undefined) throw new Error('nothing was sold')
  for (let place = 1; place <= 100; place += 1) {
    const stranger = { ...first, id: first.id + place, phone: `+7705888${1000 + place}`, status: 'FINISHED' } as const
    house.sold.set(stranger.id, stranger)
  }
  await supplier.buy(orderOf(t, '2-1'), signal)
  await supplier.buy(orderOf(t, '3-1'), signal)
  const ours = [...house.sold.values()].filter(({ status }) => status === 'PENDING')
  for (const { id } of ours) house.send(`Telegram code: ${id}`, id)
  await vi.waitUntil(async () => (await messagesOf(t, supplier.id)).length === 3, { timeout: 10_000 })
  house.asked.length = 0
  await vi.waitUntil(() => house.asked.filter(({ path }) => path.startsWith('/user/check')).length > 1, {
    timeout: 10_000,
  })
  const looks = house.asked.filter(({ path }) => path !== '/user/profile' && path !== '/guest/prices')
  expect(new Set(looks.map(({ path, query }) => `${path} ${query.offset ?? ''}`))).toEqual(
    new Set(['/user/orders 0', `/user/check/${first.id} `]),
  )
  expect((await messagesOf(t, supplier.id)).map(({ reference }) => reference).toSorted()).toEqual(['1-1', '2-1', '3-1'])
  expect(house.complaints).toEqual([])
})

test('operators by name: each an offer, bought by its name; a price that rose is given back at once', async () => {
  await using t = await startTestApp()
  await using five = await addFiveSim(t, { operators: 'each', countries: ['kazakhstan'] })
  const { house, supplier } = five
  const told = (await supplier.listOffers(signal)).map(({ operator, costMicros, stock }) => [
    operator,
    costMicros,
    stock,
  ])
  expect(told).toEqual([
    ['virtual18', 12_500_000n, 40],
    ['beeline', 14_000_000n, 9],
  ])
  const order = { ...orderOf(t, '1-1'), operator: 'beeline', maxCostMicros: 14_000_000n }
  expect(await supplier.buy(order, signal)).toMatchObject({
    outcome: 'bought',
    operator: 'beeline',
    costMicros: 14_000_000n,
  })
  expect(await supplier.find('1-1', signal)).toMatchObject({ outcome: 'bought', operator: 'beeline' })
  house.prices = { kazakhstan: { telegram: { beeline: { cost: 14.000001, count: 3 } } } }
  const dear = { ...order, reference: '2-1' }
  expect(await supplier.buy(dear, signal)).toMatchObject({ outcome: 'refused', reason: 'no-numbers' })
  expect([...house.sold.values()].map(({ status }) => status)).toEqual(['PENDING', 'CANCELED'])
  expect(await supplier.find('2-1', signal)).toEqual({ outcome: 'none' })
  house.instead = (path) => (path.startsWith('/user/cancel') ? { status: 500, body: 'internal error' } : undefined)
  await expect(supplier.buy({ ...order, reference: '3-1' }, signal)).rejects.toThrow('status 500')
  expect(await supplier.find('3-1', signal)).toMatchObject({ outcome: 'bought', costMicros: 14_000_001n })
  house.instead = () => undefined
  await supplier.end(heldOf(house, '3-1'), 'unsold', signal)
  expect([...house.sold.values()].at(-1)?.status).toBe('CANCELED')
  expect(house.complaints).toEqual([])
})

test('asked by product, prices stand the other way round, and mean the same', async () => {
  await using t = await startTestApp()
  await using five = await addFiveSim(t, { products: ['telegram', 'whatsapp'], operators: ['beeline', 'altel'] })
  expect(await five.supplier.listOffers(signal)).toEqual([
    { serviceCode: 'tg', countryId: 2, operator: 'beeline', costMicros: 14_000_000n, currency: 'rub', stock: 9 },
  ])
  const queries = five.house.asked.filter(({ path }) => path === '/guest/prices').map(({ query }) => query)
  expect(queries.slice(0, 2)).toEqual([{ product: 'telegram' }, { product: 'whatsapp' }])
  expect(five.house.complaints).toEqual([])
})

test('an activation ends at their end, a quarter of an hour; with the money where they end it first', async () => {
  await using t = await startTestApp()
  await using five = await addFiveSim(t)
  const { house } = five
  const first = await buy(t)
  expect(first.activation.expires_at).toEqual(new Date(t.clock.now().getTime() + 900_000))
  t.clock.advance(900_000)
  await sweepExpired(t.ctx)
  expect(await first.stateOf()).toBe('expired')
  await t.runJobs()
  expect([...house.sold.values()].map(({ status }) => status)).toEqual(['CANCELED'])
  const second = await buy(t)
  for (const sold of house.sold.values()) sold.status = 'TIMEOUT'
  await vi.waitUntil(async () => (await second.stateOf()) === 'used', { timeout: 10_000 })
  await expectBooksRight(t.ctx)
  expect(house.complaints).toEqual([])
})

test('a code after our refund is kept, finished there, and counted as our cost', async () => {
  await using t = await startTestApp()
  // The poll is too slow to see the code before the buyer cancels.
  await using five = await addFiveSim(t, { pollSeconds: 60 })
  const { house, supplier } = five
  const bought = await buy(t)
  t.clock.advance(120_000)
  house.send('Telegram code: 48213')
  await cancelActivation(t.ctx, bought)
  await t.runJobs()
  expect([...house.sold.values()].map(({ status }) => status)).toEqual(['FINISHED'])
  expect(await sumLosses(t.ctx.db, supplier.id)).toEqual({ codes: 1n, micros: 12_500_000n })
  const { rows } = await t.ctx.db.query({ text: 'SELECT given, activation_id FROM messages' })
  expect(rows).toEqual([{ given: 'late', activation_id: bought.activation.id }])
  await expectBooksRight(t.ctx)
})

test('how an order ends there: cancelled, banned as used, gone, or told again', async () => {
  await using t = await startTestApp()
  await using five = await addFiveSim(t, { pollSeconds: 60 })
  const { house, supplier } = five
  house.balance = 10_000
  const statusAfter = async (reference: string, ending: 'cancelled' | 'used' | 'expired' | 'finished') => {
    await supplier.buy(orderOf(t, reference), signal)
    await supplier.end(heldOf(house, reference), ending, signal)
    return [...house.sold.values()].at(-1)?.status
  }
  expect(await statusAfter('1-1', 'cancelled')).toBe('CANCELED')
  expect(await statusAfter('2-1', 'used')).toBe('BANNED')
  // 5sim cannot finish an order without a message. The order expires at 5sim and is refunded.
  expect(await statusAfter('3-1', 'finished')).toBe('PENDING')
  await supplier.buy(orderOf(t, '4-1'), signal)
  const number = heldOf(house, '4-1')
  for (const body of [
    'internal error',
    '<html>Bad gateway</html>',
    { id: 1, phone: '+77051112233', status: 'CANCELED' },
  ]) {
    house.instead = (path) =>
      path.startsWith('/user/cancel') ? { status: body === 'internal error' ? 500 : 200, body } : undefined
    await expect(supplier.end(number, 'cancelled', signal)).rejects.toThrow('a cancellation was answered with')
  }
  house.instead = () => undefined
  house.sold.delete(Number(number.supplierReference))
  await supplier.end(number, 'expired', signal)
  expect(await sumLosses(t.ctx.db, supplier.id)).toEqual({ codes: 0n, micros: 0n })
  expect(house.complaints).toEqual([])
})

test('whoever had a number can have it again, where it was bought so', async () => {
  await using t = await startTestApp()
  await using five = await addFiveSim(t, { reuse: true })
  const { house, supplier } = five
  expect(supplier.repeats).toBe(true)
  await supplier.buy(orderOf(t, '1-1'), signal)
  const number = heldOf(house, '1-1')
  house.send('Code 1111')
  house.instead = (path) => (path.startsWith('/user/finish') ? { cut: true, act: true } : undefined)
  await expect(supplier.end(number, 'finished', signal)).rejects.toThrow('no answer')
  const state = async () => (await findOrder(t.ctx.db, { supplierId: supplier.id, reference: '1-1' }))?.state
  await vi.waitUntil(async () => (await state()) === 'ended', { timeout: 10_000 })
  house.instead = () => undefined
  await supplier.end(number, 'finished', signal)
  const again = await supplier.buy({ ...orderOf(t, '2-1'), repeatOf: number.phone }, signal)
  expect(again).toMatchObject({ outcome: 'bought', phone: number.phone, costMicros: 12_500_000n })
  for (const sold of house.sold.values()) sold.reuse = false
  const refused = await supplier.buy({ ...orderOf(t, '3-1'), repeatOf: number.phone }, signal)
  expect(refused).toEqual({ outcome: 'refused', reason: 'no-numbers', detail: 'reuse false' })
  const never = await supplier.buy({ ...orderOf(t, '4-1'), repeatOf: '77059999999' }, signal)
  expect(never).toEqual({ outcome: 'refused', reason: 'no-numbers' })
  expect(house.complaints).toEqual([])
})
