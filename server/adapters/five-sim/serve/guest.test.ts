import { expect, test } from 'vitest'
import { MINUTE, SECOND } from '#contract/time.ts'
import { catalogOf } from '#server/core/catalog/offers/catalog-index.ts'
import { putNotice } from '#server/surfaces/site/notices/queries.ts'
import { loadNotices } from '#server/surfaces/site/notices/shown-notices.ts'
import { fakeRentOffers } from '#test/fakes/fake-rent.ts'
import { fakeOffer } from '#test/fakes/fake-supplier.ts'
import { startTestApp, type TestApp } from '#test/harness/harness.ts'
import { startFiveSimTest } from '#test/services/five-sim-service.ts'

const offers = [
  fakeOffer,
  { ...fakeOffer, operator: 'Tele2 KZ', costMicros: 12_500_000n, stock: 7 },
  { ...fakeOffer, countryId: 16, operator: 'Мегафон', stock: 3 },
  { ...fakeOffer, serviceCode: 'wa', stock: 5 },
]

const guest = async (t: TestApp, path: string) => {
  const reply = await t.fetch(`/v1/guest${path}`)
  const text = await reply.text()
  return reply.headers.get('content-type') === 'application/json' ? JSON.parse(text) : `${reply.status} ${text}`
}

test('17.3: prices by all parameters, in the nesting that each has at 5sim', async () => {
  await using t = await startTestApp()
  await t.addFake('fake', offers, fakeRentOffers)
  const telegram = { altel: { cost: 13, count: 100 }, tele2kz: { cost: 16.25, count: 7 } }
  const england = { other: { cost: 13, count: 3 } }
  const kazakhstan = {
    telegram,
    whatsapp: { altel: { cost: 13, count: 5 } },
    '1day': { altel: { cost: 130, count: 10 } },
    '3hours': { altel: { cost: 52, count: 10 } },
  }
  const all = { kazakhstan, england: { telegram: england } }
  expect(await guest(t, '/prices')).toEqual(all)
  expect(await guest(t, '/prices?country=&product=undefined')).toEqual(all)
  expect(await guest(t, '/prices?country=Kazakhstan')).toEqual({ kazakhstan })
  expect(await guest(t, '/prices?product=telegram')).toEqual({ telegram: { kazakhstan: telegram, england } })
  expect(await guest(t, '/prices?product=1day')).toEqual({ '1day': { kazakhstan: kazakhstan['1day'] } })
  expect(await guest(t, '/prices?country=england&product=telegram')).toEqual({ england: { telegram: england } })
  expect(await guest(t, '/prices?country=uk&product=telegram')).toEqual({ england: { telegram: england } })
  expect(await guest(t, '/prices?country=russia')).toEqual({})
  expect(await guest(t, '/prices?product=signal')).toEqual({})
  expect(await guest(t, '/prices?country=atlantis')).toBe('400 country is incorrect')
  expect(await guest(t, '/prices?country=england&product=__proto__')).toBe('400 product is incorrect')
})

test('17.3: products and countries, with operators as keys', async () => {
  await using t = await startTestApp()
  await t.addFake('fake', offers, fakeRentOffers)
  const hosting = { Category: 'hosting', Qty: 10 }
  const activation = { Category: 'activation', Price: 13 }
  expect(await guest(t, '/products/kazakhstan/any')).toEqual({
    '1day': { ...hosting, Price: 130 },
    '3hours': { ...hosting, Price: 52 },
    telegram: { ...activation, Qty: 107 },
    whatsapp: { ...activation, Qty: 5 },
  })
  expect(await guest(t, '/products/any/any')).toMatchObject({ telegram: { ...activation, Qty: 110 } })
  expect(await guest(t, '/products/any/tele2kz')).toEqual({
    telegram: { Category: 'activation', Qty: 7, Price: 16.25 },
  })
  expect(await guest(t, '/products/atlantis/any')).toBe('400 bad country')
  expect(await guest(t, '/products/kazakhstan/other')).toBe('400 bad operator')
  const countries = await guest(t, '/countries')
  expect(countries.kazakhstan).toEqual({
    iso: { kz: 1 },
    prefix: { '+7': 1 },
    text_en: 'Kazakhstan',
    text_ru: 'Казахстан',
    altel: { activation: 1, hosting: 1 },
    tele2kz: { activation: 1 },
  })
  expect(countries.russia).toEqual({
    iso: { ru: 1 },
    prefix: { '+7': 1 },
    text_en: expect.any(String),
    text_ru: 'Россия',
  })
})

test('17.3: the operator’s banner is the flash, in both languages', async () => {
  await using t = await startTestApp()
  expect(await guest(t, '/flash/en')).toEqual({ text: '' })
  const notice = { name: 'works', kind: 'info', beginsAt: t.clock.now(), endsAt: null } as const
  await putNotice(t.ctx.db, { ...notice, texts: { en: 'Down at noon', ru: 'В полдень перерыв' } })
  await loadNotices(t.ctx)
  expect(await guest(t, '/flash/en')).toEqual({ text: 'Down at noon' })
  expect(await guest(t, '/flash/RU')).toEqual({ text: 'В полдень перерыв' })
  expect(await guest(t, '/flash/de')).toBe('404 not found')
})

test('17.3: a guest sees the money of the host’s zone, whoever shows a key that of the account', async () => {
  await using f = await startFiveSimTest()
  const dollars = await f.t.makeApiKey(await f.t.makeUser({ currency: 'usd' }))
  const path = '/guest/prices?country=kazakhstan'
  const costOf = async (token: string) => {
    const { body } = await f.ask(path, { token })
    return (body as { kazakhstan: { telegram: { altel: { cost: number } } } }).kazakhstan.telegram.altel.cost
  }
  expect(await guest(f.t, '/prices')).toEqual((await f.ask(path)).body)
  expect(await costOf(f.key)).toBe(13)
  expect(await costOf(dollars)).toBeLessThan(1)
  expect(await f.ask(path, { token: 'a'.repeat(32) })).toMatchObject({ status: 401, body: '' })
})

test('17.3: lists are kept for ten seconds, packed, and not sent again unchanged', async () => {
  await using t = await startTestApp()
  const many = Array.from({ length: 100 }, (_, at) => ({ ...fakeOffer, operator: `operator${at}` }))
  const supplier = await t.addFake('fake', many)
  const first = await t.fetch('/v1/guest/prices', { headers: { 'accept-encoding': 'gzip' } })
  expect([first.headers.get('content-encoding'), first.headers.get('content-type')]).toEqual([
    'gzip',
    'application/json',
  ])
  const etag = first.headers.get('etag') ?? ''
  const again = () => t.fetch('/v1/guest/prices', { headers: { 'if-none-match': etag } })
  expect((await again()).status).toBe(304)
  catalogOf(t.ctx).setOffers(supplier.id, [fakeOffer])
  expect((await again()).status).toBe(304)
  t.clock.advance(MINUTE)
  const changed = await again()
  expect([changed.status, await changed.json()]).toEqual([
    200,
    { kazakhstan: { telegram: { altel: { cost: 13, count: 100 } } } },
  ])
})

test('17.3: all prices at once are asked for ten times in a row, and then once in five seconds', async () => {
  await using t = await startTestApp()
  await t.addFake('fake', offers)
  const ask = async (path: string) => (await t.fetch(`/v1/guest/prices${path}`)).status
  for (let asked = 0; asked < 10; asked += 1) expect(await ask('')).toBe(200)
  expect([await ask(''), await ask('?country=kazakhstan')]).toEqual([503, 200])
  t.clock.advance(5 * SECOND)
  expect([await ask(''), await ask('')]).toEqual([200, 503])
})
