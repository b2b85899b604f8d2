import { expect, test } from 'vitest'
import { refreshOffers } from '#server/core/catalog/offers/refresh-offers.ts'
import { count, expectBooksRight, moneyOf } from '#test/builders/activation-rows.ts'
import { fakeRentOffers } from '#test/fakes/fake-rent.ts'
import { fakeOffer } from '#test/fakes/fake-supplier.ts'
import { startTestApp } from '#test/harness/harness.ts'

test('C-7: a repeated orderId never says that there is no order, though nothing like it is sold any more', async () => {
  await using t = await startTestApp()
  const supplier = await t.addFake('fake', [fakeOffer], fakeRentOffers)
  const key = await t.makeApiKey(await t.makeUser({ balance: '1000' }))
  const ask = async (action: string, parameters: Record<string, string>) => {
    const query = new URLSearchParams({ api_key: key, action, ...parameters })
    return (await t.fetch(`/stubs/handler_api.php?${query}`)).text()
  }
  const buy = (country: string, orderId: string) => ask('getNumber', { service: 'tg', country, orderId })
  const rent = (country: string, orderId: string, more: Record<string, string> = {}) =>
    ask('getRentNumber', { service: 'full', country, orderId, time: '24', ...more })
  expect(await buy('any', 'one')).toMatch(/^ACCESS_NUMBER/)
  expect(await buy('2', 'two')).toMatch(/^ACCESS_NUMBER/)
  const rented = [await rent('any', 'one'), await rent('2', 'two'), await rent('any', 'three', { operator: 'altel' })]
  for (const one of rented) expect(JSON.parse(one)).toMatchObject({ status: 'success', activationCost: 130 })
  const again = async () => [await buy('any', 'one'), await buy('2', 'two')]
  const rentAgain = async () => [
    await rent('any', 'one'),
    await rent('2', 'two'),
    await rent('any', 'three', { operator: 'altel' }),
  ]
  const known = ['ORDER_ALREADY_EXISTS', 'ORDER_ALREADY_EXISTS']
  supplier.offers = [fakeOffer, { ...fakeOffer, countryId: 6, costMicros: 1_000_000n }]
  await refreshOffers(t.ctx, supplier)
  expect(await again()).toEqual(known)
  supplier.offers = []
  supplier.rent.offers = []
  await refreshOffers(t.ctx, supplier)
  expect(await again()).toEqual(known)
  expect(await rentAgain()).toEqual(rented)
  expect([await count(t.ctx, 'activations'), await count(t.ctx, 'rentals')]).toEqual([2, 3])
  await expectBooksRight(t.ctx)
})

test('C-7: a rental in any country goes on to the next one under its orderId, and a refused name is free again', async () => {
  await using t = await startTestApp()
  const cheaper = fakeRentOffers.map((offer) => ({ ...offer, countryId: 6, costMicros: offer.costMicros / 2n }))
  const supplier = await t.addFake('fake', [fakeOffer], [...fakeRentOffers, ...cheaper])
  const user = await t.makeUser({ balance: '1000' })
  const key = await t.makeApiKey(user)
  const rent = async (orderId: string) => {
    const query = new URLSearchParams({
      api_key: key,
      action: 'getRentNumber',
      service: 'full',
      country: 'any',
      orderId,
    })
    return JSON.parse(await (await t.fetch(`/stubs/handler_api.php?${query}&time=24`)).text())
  }
  supplier.rent.onRent = async () => ({ outcome: 'refused', reason: 'no-numbers' })
  expect(await rent('one')).toEqual({ status: 'error', message: 'NO_NUMBERS' })
  expect(supplier.rent.orders.map(({ countryId }) => countryId)).toEqual([6, 2])
  supplier.rent.onRent = async (order) =>
    order.countryId === 6 ? { outcome: 'refused', reason: 'no-numbers' } : supplier.rent.give(order)
  const rented = await rent('one')
  expect(rented).toMatchObject({ status: 'success', countryCode: 2, activationCost: 130 })
  expect(await rent('one')).toEqual(rented)
  expect(await moneyOf(t, user)).toEqual({ balance: '870.00', held: '130.00' })
  await expectBooksRight(t.ctx)
})
