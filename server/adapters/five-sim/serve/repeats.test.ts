import { expect, test } from 'vitest'
import { refreshOffers } from '#server/core/catalog/offers/refresh-offers.ts'
import { expectBooksRight, moneyOf } from '#test/builders/activation-rows.ts'
import { fakeRentOffers } from '#test/fakes/fake-rent.ts'
import { fakeOffer } from '#test/fakes/fake-supplier.ts'
import { type FiveSimTest, startFiveSimTest } from '#test/services/five-sim-service.ts'

async function sellOut({ t, supplier }: FiveSimTest): Promise<void> {
  supplier.offers = []
  supplier.rent.offers = []
  await refreshOffers(t.ctx, supplier)
}

test('17.3: a repeat with its key tells the order, though nothing like it is sold any more, or somewhere else for less', async () => {
  await using f = await startFiveSimTest({ rentOffers: fakeRentOffers, balance: '1000' })
  const paths = [
    '/user/buy/activation/any/any/telegram',
    '/user/buy/activation/kazakhstan/altel/telegram',
    '/user/buy/activation/any/altel/telegram',
    '/user/buy/hosting/any/any/1day',
    '/user/buy/hosting/kazakhstan/altel/1day',
  ]
  const ask = (path: string) => f.ask(path, { headers: { 'idempotency-key': `order ${path}`.replaceAll(' ', '-') } })
  const bought = await Promise.all(paths.map(ask))
  const money = await moneyOf(f.t, f.buyer)
  const idsOf = (said: { body: unknown }[]) => said.map(({ body }) => (body as { id?: number }).id ?? body)
  expect(idsOf(bought)).toEqual(paths.map(() => expect.any(Number)))
  f.supplier.offers = [fakeOffer, { ...fakeOffer, countryId: 6, costMicros: 1_000_000n }]
  await refreshOffers(f.t.ctx, f.supplier)
  expect(idsOf(await Promise.all(paths.map(ask)))).toEqual(idsOf(bought))
  await sellOut(f)
  expect(idsOf(await Promise.all(paths.map(ask)))).toEqual(idsOf(bought))
  expect(await moneyOf(f.t, f.buyer)).toEqual(money)
  await expectBooksRight(f.t.ctx)
})
