import { expect, test } from 'vitest'
import { addNumbers } from '#server/adapters/shared/own-numbers/numbers.ts'
import { refreshOffers } from '#server/core/catalog/offers/refresh-offers.ts'
import { receiveSms } from '#server/core/numbers/delivery/receive-sms.ts'
import { buyOne } from '#test/builders/activation-rows.ts'
import { bindGateway } from '#test/fakes/smpp/bound-gateway.ts'
import { call, refused } from '#test/harness/calls.ts'
import { startTestApp } from '#test/harness/harness.ts'
import { typed } from '#test/harness/typed.ts'
import { createSmppSupplier } from './smpp-supplier.ts'

const PAIR = { service_id: 'tg', country_id: 2 }
const PHONES = ['77050000001', '77050000002']

// O-2: numbers were sold while no message could reach us, and nobody was warned.
test('a link that is down sells nothing; its offers come back with it, and staff are told', async () => {
  await using t = await startTestApp()
  const supplier = await t.addReal(createSmppSupplier, {
    code: 'range',
    kind: 'smpp',
    settings: {
      mode: 'server',
      currency: 'rub',
      services: [{ code: 'tg', cost: '10' }],
      rent: [{ code: 'tg', cost: { '24': '50' } }],
      listen: { port: 0 },
      peers: [{ systemId: 'bank', password: 'secret' }],
    },
  })
  const numbers = PHONES.map((phone) => ({ phone, countryId: 2, operator: 'altel' }))
  await addNumbers(t.ctx.db, supplier.id, numbers)
  await refreshOffers(t.ctx, supplier)
  const buyer = await t.makeUser({ balance: '1000' })
  const { token } = buyer
  const stock = async () => (await call(t, 'GET /api/price', PAIR)).data.count
  const rentStock = async () => (await call(t, 'GET /api/rent-price', { ...PAIR, period: 24 })).data.count
  const health = async () => (await (await t.fetch('/readyz')).json()) as object
  const told = async () => (await typed(t.database, 'supplier:list')).out
  const refusal = async () => (await refused(t, 'POST /api/v1/activations', PAIR, { token })).body.code

  expect([await stock(), await rentStock(), await refusal()]).toEqual([0, 0, 'NO_NUMBERS'])
  expect(await health()).toMatchObject({ status: true, links: { up: 0, down: 1 } })
  expect(await told()).toMatch(/^range \(smpp\): at work, link DOWN, sells nothing, since 20/)
  const { out: first } = await typed(t.database, 'supplier:events', 'range')
  expect(first).toContain('it sells nothing (no session that brings messages is bound)')

  const gateway = await bindGateway(t, supplier)
  expect(await stock()).toBe(2)
  expect(await rentStock()).toBeGreaterThan(0)
  expect(await health()).toMatchObject({ status: true, links: { up: 1, down: 0 } })
  expect(await told()).toMatch(/^range \(smpp\): at work, link up since 20/)
  const bought = await buyOne(t, buyer)

  await gateway[Symbol.asyncDispose]()
  await expect.poll(() => supplier.link?.().up).toBe(false)
  // The refusal is immediate. Offers are hidden in the background, but a purchase checks the link itself.
  expect(await refusal()).toBe('NO_NUMBERS')
  await t.ctx.background.idle()
  expect([await stock(), await rentStock()]).toEqual([0, 0])
  expect(await told()).toContain('link DOWN')
  expect(t.log.lines.map(({ sentence }) => sentence)).toContain('the link of a supplier is down: it sells nothing')
  const { out } = await typed(t.database, 'supplier:events', 'range')
  expect(out).toContain('it sells nothing (no session that brings messages is bound)')
  const sms = { phone: bought.phone ?? '', sender: 'Telegram', text: 'Telegram code: 48213', messageId: null }
  await receiveSms(t.ctx, { supplierId: supplier.id, ...sms })
  expect(await call(t, 'GET /api/v1/activations/{id}', { id: bought.id }, { token })).toMatchObject({
    data: { state: 'received' },
  })
})
