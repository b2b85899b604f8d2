import { expect, test } from 'vitest'
import { DAY, MINUTE } from '#contract/time.ts'
import { watchService } from '#server/core/alarms/watch-service.ts'
import { changeStanding } from '#server/core/catalog/health/queries/standings.ts'
import { catalogOf } from '#server/core/catalog/offers/catalog-index.ts'
import { refreshOffers } from '#server/core/catalog/offers/refresh-offers.ts'
import { supplierListsOf } from '#server/core/catalog/offers/supplier-lists.ts'
import { loadHealth } from '#server/core/catalog/standing/load-health.ts'
import { suppliersOf } from '#server/core/suppliers/running-suppliers.ts'
import { followChanges } from '#server/programs/boot/follow-changes.ts'
import { addSupplier } from '#server/programs/boot/start-suppliers.ts'
import { sentMails } from '#test/builders/mails.ts'
import { fakeOffer } from '#test/fakes/fake-supplier.ts'
import { call, refused } from '#test/harness/calls.ts'
import { startTestApp, type TestApp } from '#test/harness/harness.ts'
import { typed, WHY } from '#test/harness/typed.ts'

const environment = { ALARM_MAIL: 'night@example.test' }
const PAIR = { service_id: 'tg', country_id: 2 }
const SCOPE = ['--service', 'tg', '--country', '2', '--currency', 'rub']
const offerAt = (rub: bigint) => ({ ...fakeOffer, costMicros: rub * 1_000_000n })

async function shown(t: TestApp) {
  const { token } = await t.makeUser()
  const key = await t.makeApiKey(await t.makeUser())
  const { price, count } = (await call(t, 'GET /api/price', PAIR, { token })).data
  const services = await call(t, 'GET /api/services', { country_id: 2 }, { token })
  const prices = await t.fetch(`/stubs/handler_api.php?api_key=${key}&action=getPrices&service=tg&country=2`)
  const v3 = await t.fetch(`/stubs/handler_api.php?api_key=${key}&action=getPricesV3&service=tg&country=2`)
  const texts = [JSON.stringify(services), await prices.text(), await v3.text()]
  return { price, count, isListed: texts.map((text) => text.includes(`"count":${fakeOffer.stock}`)) }
}

async function alarmsOf(t: TestApp): Promise<string[]> {
  await watchService(t.ctx)
  return (await sentMails(t)).map(({ mail }) =>
    mail.kind === 'alarm' ? `${mail.alarm} ${mail.about}${mail.over ? 'over' : ''}` : mail.kind,
  )
}

test('F-3: a fixed price that a supplier has outgrown is shown nowhere, and an alarm tells of it until it is mended', async () => {
  await using t = await startTestApp({ environment })
  let offers = [offerAt(10n)]
  const supplier = await t.addFake('fake', offers)
  supplier.listOffers = async () => offers
  const follow = await followChanges(t.ctx)
  const set = (price: string) => typed(t.database, 'price:set', ...SCOPE, '--price', price, '--yes', ...WHY)
  expect(await set('12')).toMatchObject({ code: 0 })
  await follow()
  expect(await shown(t)).toMatchObject({ price: '12.00', count: fakeOffer.stock })
  expect(await alarmsOf(t)).toEqual([])

  offers = [offerAt(15n)]
  await refreshOffers(t.ctx, supplier)
  expect(await shown(t)).toEqual({ price: null, count: 0, isListed: [false, false, false] })
  const { token } = await t.makeUser({ balance: '100.00' })
  expect((await refused(t, 'POST /api/v1/activations', PAIR, { token })).body.code).toBe('NO_NUMBERS')
  expect(await alarmsOf(t)).toEqual(['price-below-cost tg/2'])

  expect(await set('20')).toMatchObject({ code: 0 })
  await follow()
  expect(await shown(t)).toMatchObject({ price: '20.00', count: fakeOffer.stock })
  expect(await alarmsOf(t)).toEqual(['price-below-cost tg/2', 'price-below-cost over'])
  await call(t, 'POST /api/v1/activations', { ...PAIR, price: '20.00' }, { token })
})

test('the alarm of fixed prices names ten pairs; alarm:list has those of the moment, price:list --below-cost all', async () => {
  await using t = await startTestApp({ environment })
  const services = await t.ctx.db.query<{ code: string }>({
    text: `SELECT code FROM services WHERE code <> 'full' ORDER BY code LIMIT 12`,
  })
  const codes = services.rows.map(({ code }) => code)
  expect(codes).toHaveLength(12)
  const pairs = codes.map((code) => `${code}/2`).toSorted()
  let cost = 15n
  const offers = () => codes.map((serviceCode) => ({ ...offerAt(cost), serviceCode }))
  const supplier = await t.addFake('fake', offers())
  const follow = await followChanges(t.ctx)
  const scope = ['--country', '2', '--currency', 'rub']
  expect(await typed(t.database, 'price:set', ...scope, '--price', '12', '--yes', ...WHY)).toMatchObject({ code: 0 })
  await follow()
  const ten = `${pairs.slice(0, 10).join(', ')}, +2`
  expect(await alarmsOf(t)).toEqual([`price-below-cost ${ten}`])
  expect((await typed(t.database, 'alarm:list')).out).toContain(`price-below-cost (${ten}): since `)
  const list = async (...more: string[]) => (await typed(t.database, 'price:list', '--below-cost', ...more)).out
  const lines = pairs.map((pair) => `${pair}: 12.00 rub, and its cheapest number costs 15.00\n`)
  expect(await list()).toBe(lines.join(''))
  expect(await list('--limit', '7')).toContain(`${lines[6]}There may be more: --after ${pairs[6]}`)
  expect(await list('--after', String(pairs[6]))).toBe(lines.slice(7).join(''))
  const [last = ''] = pairs.slice(-1)
  supplier.listOffers = async () => offers().filter(({ serviceCode }) => `${serviceCode}/2` === last)
  await refreshOffers(t.ctx, supplier)
  expect(await alarmsOf(t)).toHaveLength(1)
  expect((await typed(t.database, 'alarm:list')).out).toContain(`price-below-cost (${last}): since `)
  cost = 10n
  await refreshOffers(t.ctx, supplier)
  expect((await alarmsOf(t)).at(-1)).toBe('price-below-cost over')
  expect(await list()).toBe('There is none.\n')
})

test('F-3: the alarm of a fixed price outlives a link that is down, a supplier set aside and a restart; a list alone ends it', async () => {
  await using t = await startTestApp({ environment })
  let offers = [offerAt(15n)]
  const supplier = await t.addFake('fake', offers)
  supplier.listOffers = async () => offers
  const follow = await followChanges(t.ctx)
  await typed(t.database, 'price:set', ...SCOPE, '--price', '12', '--yes', ...WHY)
  await follow()
  const begun = ['price-below-cost tg/2']
  expect(await alarmsOf(t)).toEqual(begun)

  let up = false
  supplier.link = () => ({ up, since: t.clock.now() })
  await refreshOffers(t.ctx, supplier)
  expect(catalogOf(t.ctx).unsoldPairs()).toEqual([])
  expect(await alarmsOf(t)).toEqual(begun)
  up = true
  await refreshOffers(t.ctx, supplier)
  const standing = { supplierId: supplier.id, reason: 'test', falls: 1, now: t.clock.now(), tryAt: t.clock.now() }
  await changeStanding(t.ctx.db, { ...standing, kind: 'set-aside', cause: 'errors', version: 0 })
  await loadHealth(t.ctx)
  expect(catalogOf(t.ctx).unsoldPairs()).toEqual([])
  expect((await alarmsOf(t)).filter((alarm) => alarm.startsWith('price'))).toEqual(begun)
  await changeStanding(t.ctx.db, { ...standing, tryAt: null, kind: 'returned', cause: null, version: 1 })
  await loadHealth(t.ctx)

  await suppliersOf(t.ctx).remove(supplier.id)
  supplierListsOf(t.ctx).forget(supplier.id)
  catalogOf(t.ctx).setOffers(supplier.id, [])
  expect((await alarmsOf(t)).filter((alarm) => alarm.startsWith('price'))).toEqual(begun)
  offers = [offerAt(10n)]
  await addSupplier(t.ctx, supplier)
  await t.ctx.background.idle()
  expect((await alarmsOf(t)).filter((alarm) => alarm.startsWith('price'))).toEqual([...begun, 'price-below-cost over'])
})

test('F-3: a promotion that no sale fits any more passes to the price that holds without it', async () => {
  await using t = await startTestApp({ environment })
  let offers = [offerAt(10n)]
  const supplier = await t.addFake('fake', offers)
  supplier.listOffers = async () => offers
  const follow = await followChanges(t.ctx)
  const until = new Date(Date.now() + DAY).toISOString()
  const limits = ['--below-cost', '--sale-loss-limit', '1.50', '--loss-limit', '30', '--until', until]
  expect(await typed(t.database, 'price:set', ...SCOPE, '--price', '9', ...limits, '--yes', ...WHY)).toMatchObject({
    code: 0,
  })
  t.clock.advance(Date.now() - t.clock.now().getTime() + MINUTE)
  await follow()
  expect(await shown(t)).toMatchObject({ price: '9.00' })
  const { token } = await t.makeUser({ balance: '100.00' })

  offers = [offerAt(20n)]
  await refreshOffers(t.ctx, supplier)
  expect(await shown(t)).toMatchObject({ price: '26.00', count: fakeOffer.stock })
  await call(t, 'POST /api/v1/activations', { ...PAIR, price: '26.00' }, { token })
  expect(await alarmsOf(t)).toEqual([])

  offers = [offerAt(10n)]
  await refreshOffers(t.ctx, supplier)
  expect(await shown(t)).toMatchObject({ price: '9.00' })
})
