import { expect, test, vi } from 'vitest'
import { sumLosses } from '#server/adapters/shared/resold/queries/accounts.ts'
import { findOrder } from '#server/adapters/shared/resold/queries/orders.ts'
import { cancelActivation } from '#server/core/numbers/activations/cancel.ts'
import { findActivation } from '#server/core/numbers/activations/queries/read.ts'
import { sweepExpired } from '#server/core/numbers/activations/sweep.ts'
import { listOpenPauses } from '#server/core/numbers/limits/queries.ts'
import { buyActivation } from '#server/core/numbers/purchase/buy.ts'
import { rollUp } from '#server/core/numbers/statistics/roll-up.ts'
import { expectBooksRight } from '#test/builders/activation-rows.ts'
import { addField, orderOf, signal } from '#test/builders/suppliers/handler-api-supplier.ts'
import { startTestApp, type TestApp } from '#test/harness/harness.ts'

const wanted = { serviceCode: 'tg', countryId: 2, operator: null, currency: 'rub', channel: 'site' } as const

async function buy(t: TestApp) {
  const { id: userId } = await t.makeUser()
  const { activation } = await buyActivation(t.ctx, { ...wanted, userId })
  return { userId, activationId: Number(activation.id), activation }
}

test('a cancellation that comes too early is told again; what is gone there is done', async () => {
  await using t = await startTestApp()
  await using field = await addField(t, 'hero-sms')
  const { house, supplier } = field
  await supplier.buy(orderOf(t, '1-1'), signal)
  const number = { reference: '1-1', supplierReference: '', phone: '', serviceCode: 'tg' }
  house.instead = (action) =>
    action === 'setStatus'
      ? { status: 409, body: { title: 'EARLY_CANCEL_DENIED', info: { minActivationTime: 120 } } }
      : undefined
  await expect(supplier.end(number, 'cancelled', signal)).rejects.toThrow('so early')
  house.instead = (action) => (action === 'setStatus' ? { body: 'ERROR_SQL' } : undefined)
  await expect(supplier.end(number, 'cancelled', signal)).rejects.toThrow('ERROR_SQL')
  house.instead = () => undefined
  await supplier.end(number, 'cancelled', signal)
  expect([...house.sold.values()].map(({ state }) => state)).toEqual(['cancelled'])
  await supplier.buy(orderOf(t, '2-1'), signal)
  for (const sold of house.sold.values()) sold.state = 'cancelled'
  await supplier.end({ ...number, reference: '2-1' }, 'expired', signal)
  expect(await sumLosses(t.ctx.db, supplier.id)).toEqual({ codes: 0n, micros: 0n })
})

test.each(['sms-activate', 'daisy'] as const)(
  '%s: a code after our refund is kept, finished, and counted as our cost',
  async (dialect) => {
    await using t = await startTestApp()
    // The poll is too slow to see the code before the buyer cancels.
    await using field = await addField(t, dialect, { pollSeconds: 60 })
    const { house, supplier } = field
    const bought = await buy(t)
    t.clock.advance(120_000)
    house.send('Telegram code: 48213')
    if (dialect === 'daisy')
      house.instead = (action, { status }) =>
        action === 'setStatus' && status === '8' ? { body: 'ACCESS_READY' } : undefined
    await cancelActivation(t.ctx, bought)
    await t.runJobs()
    expect([...house.sold.values()].map(({ state }) => state)).toEqual(['finished'])
    expect(await sumLosses(t.ctx.db, supplier.id)).toEqual({ codes: 1n, micros: 12_500_000n })
    const { rows } = await t.ctx.db.query({ text: 'SELECT given, activation_id FROM messages' })
    expect(rows).toEqual([{ given: 'late', activation_id: bought.activation.id }])
    await expectBooksRight(t.ctx)
  },
)

test('an account whose cancelled numbers cost us four codes within a day has to pause, as one that gets too few', async () => {
  await using t = await startTestApp()
  await using field = await addField(t, 'sms-activate', { pollSeconds: 60 })
  const { id: userId } = await t.makeUser({ balance: '100.00' })
  for (let turn = 1; turn <= 4; turn += 1) {
    const { activation } = await buyActivation(t.ctx, { ...wanted, userId })
    t.clock.advance(120_000)
    field.house.send(`Telegram code: 4821${turn}`)
    await cancelActivation(t.ctx, { activationId: Number(activation.id), userId })
    await t.runJobs()
    await rollUp(t.ctx)
    const pauses = await listOpenPauses(t.ctx.db, { userId, now: t.clock.now() })
    expect(pauses.map(({ serviceCode }) => serviceCode)).toEqual(turn === 4 ? ['tg'] : [])
  }
  await expect(buyActivation(t.ctx, { ...wanted, userId })).rejects.toMatchObject({ code: 'PAIR_PAUSED' })
  await rollUp(t.ctx)
  expect((await sumLosses(t.ctx.db, field.supplier.id)).codes).toBe(4n)
  await expectBooksRight(t.ctx)
})

test('an activation ends at the supplier’s end where that is sooner, and with the money where the supplier ends it', async () => {
  await using t = await startTestApp()
  await using field = await addField(t, 'hero-sms')
  const { house } = field
  const first = await buy(t)
  expect(first.activation.expires_at).toEqual(new Date(t.clock.now().getTime() + 900_000))
  t.clock.advance(900_000)
  await sweepExpired(t.ctx)
  const stateOf = async ({ activationId: id, userId }: typeof first) =>
    (await findActivation(t.ctx.db, { id, userId }))?.state
  expect(await stateOf(first)).toBe('expired')
  await t.runJobs()
  const second = await buy(t)
  for (const sold of house.sold.values()) sold.state = 'cancelled'
  await vi.waitUntil(async () => (await stateOf(second)) === 'used', { timeout: 10_000 })
  await expectBooksRight(t.ctx)
  expect(house.complaints).toEqual([])
})

test('what waits for another code does not take the earlier one for it, also when nobody knows whether it was asked', async () => {
  await using t = await startTestApp()
  await using field = await addField(t, 'sms-activate')
  const { house, supplier } = field
  await supplier.buy(orderOf(t, '1-1'), signal)
  const [sold] = house.sold.values()
  const number = { reference: '1-1', supplierReference: sold?.id ?? '', phone: sold?.phone ?? '', serviceCode: 'tg' }
  const texts = async () =>
    (await t.ctx.db.query<{ body: string }>({ text: 'SELECT body FROM messages ORDER BY id' })).rows.map(
      ({ body }) => body,
    )
  const looked = async () => {
    const { length } = house.asked
    await vi.waitUntil(() => house.asked.length > length + 3, { timeout: 10_000 })
  }
  expect(await supplier.askAgain(number, signal)).toBe(false)
  house.send('Code 1111')
  await vi.waitUntil(async () => (await texts()).length === 1, { timeout: 10_000 })
  // The request for another code never arrives, so the supplier still shows the earlier message.
  house.instead = (action) => (action === 'setStatus' ? { cut: true, act: false } : undefined)
  await expect(supplier.askAgain(number, signal)).rejects.toThrow('no answer')
  await looked()
  expect(await texts()).toEqual(['Code 1111'])
  // The request for another code arrives, but its reply gets lost. An equal text is then a second message.
  house.instead = (action) => (action === 'setStatus' ? { cut: true, act: true } : undefined)
  await expect(supplier.askAgain(number, signal)).rejects.toThrow('no answer')
  house.instead = () => undefined
  await looked()
  house.send('Code 1111')
  await vi.waitUntil(async () => (await texts()).length === 2, { timeout: 10_000 })
})

test('a number is bought again by whoever had it, where the service sells it again', async () => {
  await using t = await startTestApp()
  await using field = await addField(t, 'daisy')
  const { house, supplier } = field
  expect(supplier.repeats).toBe(true)
  await supplier.buy(orderOf(t, '1-1'), signal)
  const [sold] = house.sold.values()
  const number = { reference: '1-1', supplierReference: sold?.id ?? '', phone: sold?.phone ?? '', serviceCode: 'tg' }
  house.send('Code 1111')
  house.instead = (action) => (action === 'setStatus' ? { cut: true, act: true } : undefined)
  await expect(supplier.end(number, 'finished', signal)).rejects.toThrow('no answer')
  const state = async () => (await findOrder(t.ctx.db, { supplierId: supplier.id, reference: '1-1' }))?.state
  await vi.waitUntil(async () => (await state()) === 'ended', { timeout: 10_000 })
  await supplier.end(number, 'finished', signal)
  const again = await supplier.buy({ ...orderOf(t, '2-1'), repeatOf: number.phone }, signal)
  expect(again).toMatchObject({ outcome: 'bought', phone: number.phone })
  const never = await supplier.buy({ ...orderOf(t, '3-1'), repeatOf: '77059999999' }, signal)
  expect(never).toEqual({ outcome: 'refused', reason: 'no-numbers' })
})
