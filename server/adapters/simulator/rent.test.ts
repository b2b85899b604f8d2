import { expect, test, vi } from 'vitest'
import { HOUR, MINUTE, SECOND } from '#contract/time.ts'
import { catalogOf } from '#server/core/catalog/offers/catalog-index.ts'
import { sweepRentals } from '#server/core/numbers/rentals/sweep.ts'
import { suppliersOf } from '#server/core/suppliers/running-suppliers.ts'
import { count, expectBooksRight } from '#test/builders/activation-rows.ts'
import { later, readRental, rentOne } from '#test/builders/rental-rows.ts'
import { call } from '#test/harness/calls.ts'
import { startTestApp } from '#test/harness/harness.ts'
import { listen } from '#test/harness/live-listener.ts'
import { createSimulator } from './simulator.ts'

const ROW = { code: 'simulator', kind: 'simulator' }
const never = new AbortController().signal

/** The demo's whole stock would take most of the time of each test. */
const SERVICES = ['tg', 'wa', 'vk', 'full']

async function startDemo(delayScale = 0) {
  const t = await startTestApp()
  const simulator = await t.addReal(createSimulator, {
    ...ROW,
    settings: { delayScale, services: SERVICES },
  })
  const buyer = await t.makeUser({ balance: '100000.00' })
  const { rent } = simulator
  if (rent === undefined) throw new Error('the simulator rents nothing out')
  return { t, simulator, rent, buyer, [Symbol.asyncDispose]: () => t[Symbol.asyncDispose]() }
}

test('it rents out the whole number and popular services, in countries that rent, cheaper by the hour the longer', async () => {
  await using t = await startTestApp()
  const { rent } = createSimulator(t.ctx, { ...ROW, id: 1, settings: {} })
  const offers = (await rent?.listRentOffers(never)) ?? []
  expect(new Set(offers.map(({ serviceCode }) => serviceCode)).size).toBe(16)
  expect([...new Set(offers.map(({ operator }) => operator))].sort()).toEqual([
    'silent',
    'steady',
    'swift',
    'twice',
    'unicode',
  ])
  const { countries } = catalogOf(t.ctx)
  expect(offers.every(({ countryId }) => countries.get(countryId)?.rent === true)).toBe(true)
  expect(new Set(offers.map(({ countryId }) => countryId)).size).toBeGreaterThan(20)
  for (const service of ['full', 'tg']) {
    const swift = offers.filter((one) => one.serviceCode === service && one.countryId === 0 && one.operator === 'swift')
    expect(swift.map(({ hours }) => hours)).toEqual([4, 24, 72, 168, 336, 720, 1440])
    const hourly = swift.map(({ costMicros, hours }) => Number(costMicros) / hours)
    expect(hourly).toEqual(hourly.toSorted((a, b) => b - a))
  }
})

test('operators behave rented as they do activated: one code, two, long ones, none', async () => {
  await using demo = await startDemo()
  const { t, buyer } = demo
  using live = await listen(t, buyer)
  const rent = (operator_id: string, service_id = 'full') =>
    rentOne(t, buyer, { country_id: 0, operator_id, service_id })
  // E-19: a sender is a plain name, not the entry of a catalogue (`VKontakte (vk.com)`).
  const swift = await rent('swift', 'vk')
  expect(await live.next('NewCode')).toMatchObject({
    record: { id: swift.id, money: 'captured' },
    message: { sender: 'VKontakte' },
  })
  const whole = await rent('steady')
  expect(await live.next('NewCode')).toMatchObject({
    record: { id: whole.id, code: expect.stringMatching(/^\d{5,6}$/) },
  })
  const twice = await rent('twice', 'wa')
  await live.next('NewCode')
  expect((await live.next('NewCode')).record).toMatchObject({ id: twice.id, messages_count: 2 })
  await rent('unicode')
  expect((await live.next('NewCode')).message.text).toMatch(/ёлки-палки 🌲/)
  const silent = await rent('silent')
  expect(await readRental(t, buyer, silent.id)).toMatchObject({ money: 'held', messages_count: 0 })
  await expectBooksRight(t.ctx)
})

test('messages go on until the rental ends, also after a restart, and no faster than people read', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  using _ = { [Symbol.dispose]: () => vi.useRealTimers() }
  await using demo = await startDemo()
  const { t, buyer, simulator } = demo
  const { id } = await rentOne(t, buyer, { country_id: 0, service_id: 'tg', period: 4 })
  const counted = async (atLeast: number) => {
    await expect.poll(() => count(t.ctx, 'messages')).toBeGreaterThanOrEqual(atLeast)
    return count(t.ctx, 'messages')
  }
  await vi.advanceTimersByTimeAsync(1)
  expect(await counted(1)).toBe(1)
  await vi.advanceTimersByTimeAsync(30 * SECOND - 1)
  expect(await counted(2)).toBe(2)
  await suppliersOf(t.ctx).remove(simulator.id)
  await vi.advanceTimersByTimeAsync(HOUR)
  expect(await counted(2)).toBe(2)
  const again = createSimulator(t.ctx, { ...ROW, id: simulator.id, settings: { delayScale: 0 } })
  await suppliersOf(t.ctx).add(again)
  await vi.advanceTimersByTimeAsync(30 * SECOND)
  expect(await counted(3)).toBe(3)
  const { phone } = await readRental(t, buyer, id)
  expect(await again.rent?.findRental(`r${id}-1`, never)).toMatchObject({ outcome: 'bought', phone })
  for (const reference of [`r${id}-2`, `r${id + 1}-1`, `${id}-1`, '']) {
    expect([reference, await again.rent?.findRental(reference, never)]).toEqual([reference, { outcome: 'none' }])
  }
  await later(t, buyer, 4 * HOUR)
  expect((await sweepRentals(t.ctx)).expired).toBe(1)
  await t.runJobs()
  await vi.advanceTimersByTimeAsync(10 * MINUTE)
  expect(await counted(3)).toBe(3)
  await expectBooksRight(t.ctx)
})

test('an extension is always granted, for what its period costs', async () => {
  await using demo = await startDemo()
  const { t, buyer } = demo
  const { id, price } = await rentOne(t, buyer, { country_id: 0, operator_id: 'silent' })
  const { data } = await call(t, 'POST /api/v1/rentals/{id}/extend', { id, period: 24 }, { token: buyer.token })
  expect(data).toMatchObject({ hours: 48, price: (Number(price) * 2).toFixed(2) })
  expect(await demo.rent.extendRental({ ...EXTENSION, reference: 'r1-1' }, never)).toEqual({ outcome: 'refused' })
  await expectBooksRight(t.ctx)
})

const EXTENSION = {
  supplierReference: '',
  extensionReference: 'x1',
  hours: 24,
  maxCostMicros: 0n,
  currency: 'rub' as const,
  expiresAt: new Date(0),
}

test('a number that is rented is never one that is activated', async () => {
  await using demo = await startDemo(100)
  const { t } = demo
  const order = {
    buyerId: 1,
    operator: 'swift',
    maxCostMicros: 10n ** 12n,
    currency: 'rub' as const,
    expiresAt: t.clock.now(),
  }
  // Ids that are far apart could get the same phone of a country.
  const ids = Array.from({ length: 200 }, (_, place) => 100_000_001 + place)
  const activated = ids.map((id) =>
    demo.simulator.buy({ ...order, reference: `${id}-1`, serviceCode: 'tg', countryId: 2 }, never),
  )
  const rented = ids.map((id) =>
    demo.rent.rent(
      { ...order, hours: 24, reference: `r${id + 400_000_000}-1`, serviceCode: 'tg', countryId: 2 },
      never,
    ),
  )
  const phones = (await Promise.all([...activated, ...rented])).map((one) =>
    one.outcome === 'bought' ? one.phone : '',
  )
  expect(new Set(phones).size).toBe(400)
})
