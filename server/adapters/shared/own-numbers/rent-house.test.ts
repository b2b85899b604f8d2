import { expect, test } from 'vitest'
import { MINUTE } from '#contract/time.ts'
import { createSmppSupplier } from '#server/adapters/smpp/smpp-supplier.ts'
import { refreshOffers } from '#server/core/catalog/offers/refresh-offers.ts'
import { receiveSms } from '#server/core/numbers/delivery/receive-sms.ts'
import { expectBooksRight } from '#test/builders/activation-rows.ts'
import { rentOne } from '#test/builders/rental-rows.ts'
import { bindGateway } from '#test/fakes/smpp/bound-gateway.ts'
import { call, refused } from '#test/harness/calls.ts'
import { startTestApp } from '#test/harness/harness.ts'
import { addNumbers } from './numbers.ts'

const PHONE = '77051234567'

// Checklist 3.7: a number of our own range is rented, used and given back.
test('a number of our own is rented out, sold to nobody meanwhile, and spent by its messages', async () => {
  await using t = await startTestApp()
  const settings = {
    mode: 'server',
    currency: 'rub',
    listen: { port: 0 },
    peers: [{ systemId: 'bank', password: 'secret' }],
    services: [{ code: 'wa', cost: '10' }],
    rent: [
      { code: 'full', cost: { '24': '100', '168': '500' } },
      { code: 'tg', cost: { '24': '50' } },
    ],
  }
  const supplier = await t.addReal(createSmppSupplier, { code: 'range', kind: 'smpp', settings })
  await addNumbers(t.ctx.db, supplier.id, [{ phone: PHONE, countryId: 2, operator: 'altel' }])
  await bindGateway(t, supplier)
  const user = await t.makeUser({ balance: '2000.00' })
  // An API key is used, because the user's session expires before the number may be sold to others.
  const buyer = { ...user, token: await t.makeApiKey(user) }
  const { token } = buyer
  const priceOf = async (service_id: string) =>
    (await call(t, 'GET /api/rent-price', { service_id, country_id: 2 })).data
  expect(await priceOf('full')).toMatchObject({
    operators: [{ id: 'any' }, { id: 'altel' }],
    price: '130.00',
    count: 1,
    periods: [{ period: 24 }, { period: 168, price: '650.00' }],
  })
  const codeOf = async (key: 'POST /api/v1/activations' | 'POST /api/v1/rentals', input: object) =>
    (await refused(t, key, { country_id: 2, ...input }, { token })).body.code
  const whatsapp = { service_id: 'wa' }

  const telegram = await rentOne(t, buyer, { service_id: 'tg' })
  expect(telegram).toMatchObject({ phone: PHONE, operator: 'altel', price: '65.00' })
  expect(await codeOf('POST /api/v1/activations', whatsapp)).toBe('NO_NUMBERS')
  expect(await codeOf('POST /api/v1/rentals', { service_id: 'full', period: 24 })).toBe('NO_NUMBERS')
  await call(t, 'POST /api/v1/rentals/{id}/cancel', { id: telegram.id }, { token })
  await t.runJobs()

  // A number without a message can be rented whole again, once late messages cannot be the last buyer's.
  await refreshOffers(t.ctx, supplier)
  expect(await priceOf('full')).toMatchObject({ price: null, count: 0 })
  t.clock.advance(20 * MINUTE)
  await refreshOffers(t.ctx, supplier)
  const whole = await rentOne(t, buyer)
  expect(whole.phone).toBe(PHONE)
  await refreshOffers(t.ctx, supplier)
  expect(await priceOf('full')).toMatchObject({ price: null, count: 0 })
  const extended = await call(t, 'POST /api/v1/rentals/{id}/extend', { id: whole.id, period: 168 }, { token })
  expect(extended.data).toMatchObject({ hours: 192, price: '780.00' })
  await receiveSms(t.ctx, {
    supplierId: supplier.id,
    messageId: null,
    phone: PHONE,
    sender: 'Telegram',
    text: 'Telegram code: 48213',
  })
  await call(t, 'POST /api/v1/rentals/{id}/finish', { id: whole.id }, { token })
  await t.runJobs()
  await refreshOffers(t.ctx, supplier)
  expect(await codeOf('POST /api/v1/rentals', { service_id: 'full', period: 24 })).toBe('NO_NUMBERS')
  expect(await codeOf('POST /api/v1/activations', whatsapp)).toBe('NO_NUMBERS')
  expect((await t.ctx.db.query({ text: 'SELECT rent_state FROM smpp_numbers' })).rows).toEqual([
    { rent_state: 'retired' },
  ])
  await expectBooksRight(t.ctx)
})
