import { expect, test, vi } from 'vitest'
import { MINUTE } from '#contract/time.ts'
import { settleOrphans } from '#server/core/numbers/purchase/activation-orphans.ts'
import { reservingOf } from '#server/core/numbers/sourcing/under-way.ts'
import type { Query } from '#server/house/db/pool.ts'
import { buyOne, count, expectBooksRight, pushSms, transfersOf } from '#test/builders/activation-rows.ts'
import { addRenting, readRental, rentOne } from '#test/builders/rental-rows.ts'
import { type FakeSupplier, fakeOffer } from '#test/fakes/fake-supplier.ts'
import { call } from '#test/harness/calls.ts'
import { startTestApp, type TestApp } from '#test/harness/harness.ts'
import { listen } from '#test/harness/live-listener.ts'
import { handOverLeft } from './hand-over.ts'
import { createMessageQueue, messageQueueOf } from './message-queue.ts'
import { verifyDelivery } from './verify-delivery.ts'

const PLAIN = 'activation-store-sms-for-only-holder'

async function expectAllRight(t: TestApp): Promise<void> {
  await expectBooksRight(t.ctx)
  expect((await verifyDelivery(t.ctx.db)).checks.flatMap(({ problems }) => problems)).toEqual([])
}

function gateIntake(t: TestApp, when: 'before' | 'after') {
  const real = t.ctx.db.query.bind(t.ctx.db)
  const reached = Promise.withResolvers<void>()
  const opened = Promise.withResolvers<void>()
  const spy = vi.spyOn(t.ctx.db, 'query').mockImplementation(async (query: Query) => {
    if (query.name !== PLAIN) return real(query)
    const run = when === 'before' ? undefined : await real(query)
    reached.resolve()
    await opened.promise
    return (run ?? (await real(query))) as never
  })
  return { reached: reached.promise, open: opened.resolve, [Symbol.dispose]: () => spy.mockRestore() }
}

async function buyTelegram(t: TestApp, supplier: FakeSupplier, push: (phone: string) => Promise<void>) {
  const buyer = await t.makeUser({ balance: '20.00' })
  const answered = Promise.withResolvers<void>()
  const asked = Promise.withResolvers<void>()
  supplier.onBuy = async (order) => {
    const number = supplier.sell(order)
    await push(number.phone)
    asked.resolve()
    await answered.promise
    return number
  }
  const buying = buyOne(t, buyer)
  await asked.promise
  return { buyer, buying, answer: answered.resolve }
}

test('a message that is faster than the answer to the purchase waits for nobody, and is handed over with the number', async () => {
  await using t = await startTestApp()
  const supplier = await t.addFake()
  const { buyer, buying, answer } = await buyTelegram(t, supplier, (phone) => pushSms(t, supplier, { phone }))
  expect(await count(t.ctx, `messages WHERE given = 'unmatched'`)).toBe(1)
  using live = await listen(t, buyer)
  answer()
  const { id } = await buying
  expect((await live.next('NewCode')).message).toMatchObject({ code: '48213' })
  expect(await transfersOf(t.ctx, id)).toEqual(['hold', 'capture'])
  expect(await count(t.ctx, `messages WHERE given = 'named' AND activation_id = $1`, [id])).toBe(1)
  await expectAllRight(t)
})

test('a message that comes in the same moment as the answer to the purchase finds its buyer', async () => {
  await using t = await startTestApp()
  const supplier = await t.addFake()
  const pushed: Promise<void>[] = []
  for (let round = 0; round < 10; round += 1) {
    supplier.onBuy = async (order) => {
      const number = supplier.sell(order)
      pushed.push(pushSms(t, supplier, { phone: number.phone, messageId: number.phone }))
      return number
    }
    await buyOne(t, await t.makeUser())
  }
  await Promise.all(pushed)
  expect(await count(t.ctx, `activations WHERE state = 'received'`)).toBe(10)
  await expectAllRight(t)
})

test.each(['before', 'after'] as const)(
  'a message whose statement runs %s its number is settled, and comes back last of all, is not lost',
  async (when) => {
    await using t = await startTestApp()
    const supplier = await t.addFake()
    using gate = gateIntake(t, when === 'before' ? 'after' : 'before')
    let pushed: Promise<void> | undefined
    const { buying, answer } = await buyTelegram(t, supplier, async (phone) => {
      pushed = pushSms(t, supplier, { phone })
      await gate.reached
    })
    answer()
    // The settlement is committed, but the handover of early messages waits for the message ahead in the queue.
    await expect.poll(() => count(t.ctx, `activations WHERE state = 'waiting'`)).toBe(1)
    gate.open()
    await pushed
    const { id } = await buying
    expect(await transfersOf(t.ctx, id)).toEqual(['hold', 'capture'])
    await expectAllRight(t)
  },
)

test('the same of rentals, and of a purchase that is settled after a crash', async () => {
  await using t = await startTestApp()
  const supplier = await addRenting(t)
  const buyer = await t.makeUser({ balance: '500.00' })
  const { onRent } = supplier.rent
  supplier.rent.onRent = async (order, signal) => {
    const number = await onRent(order, signal)
    if (number.outcome === 'bought') await pushSms(t, supplier, { phone: number.phone })
    return number
  }
  const { id } = await rentOne(t, buyer)
  expect(await readRental(t, buyer, id)).toMatchObject({ code: '48213', money: 'captured' })

  // The purchase takes so long that the list of early messages in memory has expired, and the database is queried.
  supplier.onBuy = async (order) => {
    await pushSms(t, supplier, { phone: supplier.sell(order).phone })
    t.clock.advance(2 * MINUTE)
    await settleOrphans(t.ctx)
    throw new Error('the answer got lost')
  }
  const { data } = await call(
    t,
    'POST /api/v1/activations',
    { service_id: 'tg', country_id: 2 },
    { token: buyer.token },
  )
  expect(await transfersOf(t.ctx, data.id)).toEqual(['hold', 'capture'])
  await expectAllRight(t)
})

test('what a crash left between a settlement and its look is handed over at the next start, once', async () => {
  await using t = await startTestApp()
  const supplier = await t.addFake()
  using _ = vi.spyOn(messageQueueOf(t.ctx), 'mayBeUnmatched').mockReturnValue(false)
  const { buying, answer } = await buyTelegram(t, supplier, (phone) => pushSms(t, supplier, { phone }))
  answer()
  const { id } = await buying
  const since = new Date(t.clock.now().getTime() - MINUTE)
  expect(await transfersOf(t.ctx, id)).toEqual(['hold'])
  expect(await handOverLeft(t.ctx, { since })).toBe(1)
  expect(await handOverLeft(t.ctx, { since })).toBe(0)
  expect(await transfersOf(t.ctx, id)).toEqual(['hold', 'capture'])
  await expectAllRight(t)
})

test('what a crash left for somebody who has cancelled meanwhile is kept for him, late, and costs nothing', async () => {
  await using t = await startTestApp()
  const supplier = await t.addFake('two', [fakeOffer, { ...fakeOffer, serviceCode: 'wa' }])
  using _ = vi.spyOn(messageQueueOf(t.ctx), 'mayBeUnmatched').mockReturnValue(false)
  const message = { sender: 'Telegram', text: 'Telegram code: 48213' }
  const { buyer, buying, answer } = await buyTelegram(t, supplier, (phone) =>
    pushSms(t, supplier, { phone, ...message }),
  )
  answer()
  const { id, phone } = await buying
  const boris = await t.makeUser()
  supplier.onBuy = async (order) => ({ ...supplier.sell(order), phone })
  await call(t, 'POST /api/v1/activations', { service_id: 'wa', country_id: 2 }, { token: boris.token })
  t.clock.advance(2 * MINUTE)
  await call(t, 'POST /api/v1/activations/{id}/cancel', { id }, { token: buyer.token })
  const since = new Date(t.clock.now().getTime() - 3 * MINUTE)
  expect(await handOverLeft(t.ctx, { since })).toBe(1)
  expect(await count(t.ctx, `messages WHERE given = 'late' AND activation_id = ${id}`)).toBe(1)
  expect(await transfersOf(t.ctx, id)).toEqual(['hold', 'release'])
  await expectAllRight(t)
})

test('doubt stays doubt: what was unmatched among two accounts is nobody’s still when one of them has ended', async () => {
  await using t = await startTestApp()
  const supplier = await t.addFake('two', [fakeOffer, { ...fakeOffer, serviceCode: 'wa' }])
  const [anna, boris] = [await t.makeUser(), await t.makeUser()]
  const telegram = await buyOne(t, anna)
  supplier.onBuy = async (order) => ({ ...supplier.sell(order), phone: telegram.phone })
  await call(t, 'POST /api/v1/activations', { service_id: 'wa', country_id: 2 }, { token: boris.token })
  const since = t.clock.now()
  await pushSms(t, supplier, { phone: telegram.phone, sender: '900', text: 'Code 11111' })
  t.clock.advance(2 * MINUTE)
  await call(t, 'POST /api/v1/activations/{id}/cancel', { id: telegram.id }, { token: anna.token })
  await t.ctx.db.query({ text: `UPDATE activations SET expires_at = expires_at + interval '1 day'` })
  t.clock.advance(30 * MINUTE)
  expect(await handOverLeft(t.ctx, { since })).toBe(0)
  expect(await count(t.ctx, `messages WHERE given = 'unmatched'`)).toBe(1)
  await expectAllRight(t)
})

// H-5: a message for a number that nobody holds used to cost 20 queries and a second if any purchase was in progress.
test('H-5: a message for a number nobody holds is one statement, whatever is being bought', async () => {
  await using t = await startTestApp()
  const supplier = await t.addFake()
  const other = await t.addFake('other', [])
  const { buying, answer } = await buyTelegram(t, supplier, async () => undefined)
  expect(reservingOf(t.ctx).size).toBe(1)
  using asked = vi.spyOn(t.ctx.db, 'query')
  for (const from of [supplier, other]) {
    for (let junk = 0; junk < 20; junk += 1) await pushSms(t, from, { phone: `790000000${10 + junk}`, text: `${junk}` })
  }
  expect(new Set(asked.mock.calls.map(([{ name }]) => name))).toEqual(new Set([PLAIN]))
  expect(asked).toHaveBeenCalledTimes(40)
  answer()
  await buying
  expect(await count(t.ctx, `messages WHERE given = 'unmatched'`)).toBe(40)
  await expectAllRight(t)
})

test('numbers of early messages are remembered for a minute; with too many of them everybody looks for a while', async () => {
  let now = 0
  const queue = createMessageQueue({ now: () => new Date(now) })
  queue.noteUnmatched('1')
  expect([queue.mayBeUnmatched('1'), queue.mayBeUnmatched('2')]).toEqual([true, false])
  const under = Promise.withResolvers<void>()
  const taken = queue.run('2', () => under.promise)
  expect(queue.mayBeUnmatched('2')).toBe(true)
  under.resolve()
  await taken
  expect(queue.mayBeUnmatched('2')).toBe(false)
  now += MINUTE
  expect(queue.mayBeUnmatched('1')).toBe(false)
  for (let phone = 0; phone <= 20_000; phone += 1) queue.noteUnmatched(String(phone))
  expect(queue.mayBeUnmatched('never seen')).toBe(true)
  now += MINUTE + 1
  expect(queue.mayBeUnmatched('never seen')).toBe(false)
})

test('messages of one number that wait are limited: one too many is refused, and the peer keeps it', async () => {
  const queue = createMessageQueue({ now: () => new Date(0) })
  const gate = Promise.withResolvers<void>()
  const waiting = Array.from({ length: 10_000 }, () => queue.run('1', () => gate.promise))
  await expect(queue.run('1', async () => undefined)).rejects.toThrow('too many messages wait')
  gate.resolve()
  await Promise.all(waiting)
  await expect(queue.run('1', async () => 'mine')).resolves.toBe('mine')
})
