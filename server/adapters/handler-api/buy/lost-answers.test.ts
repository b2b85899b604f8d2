import { expect, test, vi } from 'vitest'
import { resoldOrders } from '#server/adapters/shared/resold/queries/orders.ts'
import type { Supplier } from '#server/core/suppliers/supplier.ts'
import { addField, orderOf, signal } from '#test/builders/suppliers/handler-api-supplier.ts'
import { startTestApp } from '#test/harness/harness.ts'
import { typed } from '#test/harness/typed.ts'

const cutAfterSale = (action: string) =>
  action.startsWith('getNumber') ? ({ cut: true, act: true } as const) : undefined
const cutBeforeSale = (action: string) =>
  action.startsWith('getNumber') ? ({ cut: true, act: false } as const) : undefined
/** Polls are shared for a second, so a poll that began earlier may answer first. */
async function find({ find: ask }: Supplier, reference: string) {
  const found = () => ask(reference, signal).catch(() => null)
  return (await vi.waitUntil(found, { timeout: 10_000 })) ?? expect.fail()
}

test.each(['sms-activate', 'hero-sms'] as const)(
  '%s: an answer that got lost is found by looking, whatever the zone of the times, and nothing is bought again',
  async (dialect) => {
    await using t = await startTestApp()
    await using field = await addField(t, dialect)
    const { house, supplier } = field
    await supplier.buy(orderOf(t, '1-1'), signal)
    const [ours] = house.sold.values()
    if (ours === undefined) throw new Error('nothing was sold')
    const old = new Date(t.clock.now().getTime() - 600_000)
    house.sold.set('5', { ...ours, id: '5', phone: '77059990005', madeAt: old })
    house.sold.set('6', { ...ours, id: '6', phone: '77059990006', country: '7' })
    house.instead = cutAfterSale
    await expect(supplier.buy(orderOf(t, '2-1'), signal)).rejects.toThrow('no answer')
    await expect(supplier.buy(orderOf(t, '2-1'), signal)).rejects.toThrow('was asked for before')
    const lost = [...house.sold.values()].at(-1)
    expect(await find(supplier, '2-1')).toMatchObject({
      outcome: 'bought',
      supplierReference: lost?.id,
      phone: lost?.phone,
      costMicros: 12_500_000n,
    })
    expect(await supplier.find('2-1', signal)).toMatchObject({ outcome: 'bought', supplierReference: lost?.id })
    expect(house.sold.size).toBe(4)
    expect(house.complaints).toEqual([])
  },
)

test('what was not bought is none, once it cannot be under way any more; and is never bought later', async () => {
  await using t = await startTestApp()
  await using field = await addField(t, 'sms-activate')
  const { house, supplier } = field
  house.instead = cutBeforeSale
  await expect(supplier.buy(orderOf(t, '2-1'), signal)).rejects.toThrow('no answer')
  await expect(supplier.find('2-1', signal)).rejects.toThrow('may still be under way')
  t.clock.advance(45_000)
  const shown = async () => (await typed(t.database, 'supplier:show', supplier.code)).out
  expect(await shown()).toContain('tg in 2: 1 orders without an answer since')
  expect(await supplier.find('2-1', signal)).toEqual({ outcome: 'none' })
  expect(await shown()).not.toContain('without an answer')
  house.instead = () => undefined
  await expect(supplier.buy(orderOf(t, '2-1'), signal)).rejects.toThrow('was asked for before')
  // A search before the purchase also prevents a later purchase with the same reference.
  expect(await supplier.find('3-1', signal)).toEqual({ outcome: 'none' })
  await expect(supplier.buy(orderOf(t, '3-1'), signal)).rejects.toThrow('was asked for before')
  expect(house.sold.size).toBe(0)
})

test('two lost orders of one pair get the two numbers; a third number there may be a stranger’s, and none is taken', async () => {
  await using t = await startTestApp()
  await using field = await addField(t, 'sms-activate')
  const { house, supplier } = field
  house.instead = (action) => (action === 'getNumberV2' ? { hang: true, act: true } : undefined)
  const late = new AbortController()
  const lost = ['1-1', '2-1'].map((reference) => supplier.buy(orderOf(t, reference), late.signal))
  await vi.waitUntil(() => house.sold.size === 2, { timeout: 10_000 })
  late.abort()
  for (const { status } of await Promise.allSettled(lost)) expect(status).toBe('rejected')
  expect(await supplier.buy(orderOf(t, '3-1'), signal)).toMatchObject({ outcome: 'refused', reason: 'rejected' })
  const [sold] = house.sold.values()
  if (sold === undefined) throw new Error('nothing was sold')
  house.sold.set('7', { ...sold, id: '7', phone: '77059990007' })
  await expect(supplier.find('1-1', signal)).rejects.toThrow('may be any of 3')
  expect([...house.sold.values()].map(({ state }) => state)).toEqual(['waiting', 'waiting', 'waiting'])
  house.sold.delete('7')
  // Both searches find the first activation. The slower search sees that it is taken, and searches again.
  const [one, other] = await Promise.all([find(supplier, '1-1'), find(supplier, '2-1')])
  house.instead = () => undefined
  expect(await supplier.buy(orderOf(t, '4-1'), signal)).toMatchObject({ outcome: 'bought' })
  const [, , third] = [...house.sold.keys()]
  house.sold.delete(third ?? '')
  expect([one, other].map((number) => 'phone' in number && number.phone).toSorted()).toEqual(
    [...house.sold.values()].map(({ phone }) => phone).toSorted(),
  )
})

test('what another object has asked for blocks its pair until it has an answer', async () => {
  await using t = await startTestApp()
  await using field = await addField(t, 'tiger', { balanceSeconds: 0.1 })
  const { supplier } = field
  const asking = { supplierId: supplier.id, reference: 'a1-1', service: 'tg', country: '2', operator: null }
  await resoldOrders.insert(t.ctx.db, { ...asking, state: 'asking', costMicros: 1n, now: t.clock.now() })
  await supplier.stop()
  await supplier.start()
  const refused = { outcome: 'refused', reason: 'rejected', detail: 'a lost order of this pair is looked for' }
  expect(await supplier.buy(orderOf(t, 'a2-1'), signal)).toEqual(refused)
  await resoldOrders.markUnsold(t.ctx.db, { ...asking, state: 'refused' })
  let tries = 2
  await vi.waitUntil(
    async () => {
      tries += 1
      return (await supplier.buy(orderOf(t, `a${tries}-1`), signal)).outcome === 'bought'
    },
    { timeout: 10_000 },
  )
})

test('one activation is never two orders’', async () => {
  await using t = await startTestApp()
  await using field = await addField(t, 'sms-activate')
  const { house, supplier } = field
  await supplier.buy(orderOf(t, '1-1'), signal)
  const [sold] = house.sold.values()
  const again = { activationId: Number(sold?.id), phoneNumber: sold?.phone, activationCost: 12.5 }
  house.instead = (action) => (action === 'getNumberV2' ? { body: again } : undefined)
  await expect(supplier.buy(orderOf(t, '2-1'), signal)).rejects.toThrow('is not free for 2-1')
})

test('where nothing can be looked at, a lost order is told to the operator', async () => {
  await using t = await startTestApp()
  await using field = await addField(t, 'daisy')
  const { house, supplier } = field
  house.instead = cutAfterSale
  await expect(supplier.buy(orderOf(t, '1-1'), signal)).rejects.toThrow('no answer')
  await expect(supplier.find('1-1', signal)).rejects.toThrow('cannot be looked for')
  t.clock.advance(45_000)
  expect(await supplier.find('1-1', signal)).toEqual({ outcome: 'none' })
  expect(JSON.stringify(t.log.lines)).toContain('a purchase may have been made')
})
