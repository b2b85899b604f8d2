import { expect, test, vi } from 'vitest'
import { HOUR } from '#contract/time.ts'
import { catalogOf } from '#server/core/catalog/offers/catalog-index.ts'
import { loadOffers } from '#server/core/catalog/offers/refresh-offers.ts'
import { refreshSoon } from '#server/core/catalog/offers/refresh-schedule.ts'
import { rentCatalogOf } from '#server/core/catalog/offers/rent-index.ts'
import { findActivation } from '#server/core/numbers/activations/queries/read.ts'
import { buyActivation } from '#server/core/numbers/purchase/buy.ts'
import { extendRental } from '#server/core/numbers/rentals/extend.ts'
import { suppliersOf } from '#server/core/suppliers/running-suppliers.ts'
import { type Chain, expectAllRight, LIMIT, openChain, read, rentOf } from '#test/services/rental-chain.ts'

/** The former supplier object sends the request, and the reply arrives after the next object has started. */
async function whileReplaced<Bought>(chain: Chain, action: string, buy: () => Promise<Bought>): Promise<Bought> {
  const { line, change } = chain
  const answer = Promise.withResolvers<void>()
  line.hold = (asked) => (asked === action ? answer.promise : undefined)
  const before = line.asked.length
  const bought = buy()
  await vi.waitUntil(() => line.asked.slice(before).includes(action), LIMIT)
  await change({ operator: 'other' })
  answer.resolve()
  return bought
}

test('a code comes to a number whose purchase was under way while its supplier was started with other settings', async () => {
  await using chain = await openChain({ balanceSeconds: 0.1 })
  const { a, sms, buyer } = chain
  const wanted = { serviceCode: 'tg', countryId: 2, operator: null, currency: 'rub', channel: 'site' } as const
  const { activation } = await whileReplaced(chain, 'getNumberV2', () =>
    buyActivation(a.ctx, { ...wanted, userId: buyer.id }),
  )
  await sms(activation.phone ?? '', 'Telegram code: 12345')
  const key = { id: Number(activation.id), userId: buyer.id }
  await vi.waitUntil(async () => (await findActivation(a.ctx.db, key))?.code === '12345', LIMIT)
  await expectAllRight(chain)
})

test('a message comes to a rental that was under way while its supplier was started with other settings', async () => {
  await using chain = await openChain({ balanceSeconds: 0.1 })
  const rented = await whileReplaced(chain, 'getRentNumber', () => rentOf(chain))
  await chain.sms(rented.phone, 'Telegram code: 12345')
  await vi.waitUntil(async () => (await read(chain.a, rented))?.code === '12345', LIMIT)
  await expectAllRight(chain)
})

test('an extension that was under way then is known to the next object, and messages go on', async () => {
  await using chain = await openChain({ balanceSeconds: 0.1 })
  const { a, sms } = chain
  const rented = await rentOf(chain, 4)
  await sms(rented.phone, 'Telegram code: 11111')
  await vi.waitUntil(async () => (await read(a, rented))?.code === '11111', LIMIT)
  await whileReplaced(chain, 'continueRentNumber', () => extendRental(a.ctx, { ...rented, currency: 'rub', hours: 4 }))
  const { rows } = await a.ctx.db.query<{ ends: Date }>({ text: 'SELECT expires_at AS ends FROM resold_rents' })
  expect(rows[0]?.ends).toEqual((await read(a, rented))?.expires_at)
  a.clock.advance(5 * HOUR)
  await sms(rented.phone, 'Telegram code: 22222')
  await vi.waitUntil(async () => (await read(a, rented))?.code === '22222', LIMIT)
  await expectAllRight(chain)
})

test('offers in the former currency of a supplier are gone with its settings, and come back in the new one', async () => {
  await using chain = await openChain()
  const { a, b, change, supplier } = chain
  const currencies = () =>
    [catalogOf(a.ctx).pair('tg', 2), rentCatalogOf(a.ctx).pair('full', 2)].map((pair) => pair?.offers[0]?.currency)
  expect(currencies()).toEqual(['rub', 'rub'])
  await change({ operator: 'other' })
  expect(currencies()).toEqual(['rub', 'rub'])
  await change({ currency: 'usd' })
  expect(currencies()).toEqual([undefined, undefined])
  await refreshSoon(a.ctx, suppliersOf(a.ctx).all())
  expect(currencies()).toEqual(['usd', 'usd'])
  // After a start of the service, the table of rental offers may still hold offers in another currency.
  await loadOffers(a.ctx, supplier.id, 'rub')
  expect(currencies()).toEqual([undefined, undefined])
  await refreshSoon(a.ctx, suppliersOf(a.ctx).all())
  expect(currencies()).toEqual(['usd', 'usd'])
  expect((await b.ctx.db.query({ text: 'SELECT FROM activations' })).rowCount).toBe(0)
})
