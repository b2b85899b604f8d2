import { expect, test } from 'vitest'
import { catalogOf } from '#server/core/catalog/offers/catalog-index.ts'
import { fakeOffer } from '#test/fakes/fake-supplier.ts'
import { startProtocolTest } from '#test/services/handler-api-service.ts'

const offers = [
  fakeOffer,
  { ...fakeOffer, operator: 'tele2', costMicros: 20_000_000n, stock: 7 },
  { ...fakeOffer, serviceCode: 'wa', costMicros: 5_000n, stock: 3 },
  { ...fakeOffer, countryId: 0, operator: 'mts', costMicros: 30_000_000n, stock: 40 },
  { ...fakeOffer, countryId: 187, operator: 'tmobile', stock: 0 },
]

test('getPrices lists what is in stock, whole or filtered, and follows the catalogue', async () => {
  await using p = await startProtocolTest({ offers })
  const russia = '"0":{"tg":{"cost":39.00,"count":40,"physicalCount":40}}'
  const kazakhstanTg = '"tg":{"cost":13.00,"count":107,"physicalCount":107}'
  const kazakhstan = `"2":{${kazakhstanTg},"wa":{"cost":0.0065,"count":3,"physicalCount":3}}`
  expect(await p.ask('getPrices')).toBe(`{${russia},${kazakhstan}}`)
  expect(await p.ask('getPrices', { country: '2' })).toBe(`{${kazakhstan}}`)
  const byService = JSON.parse(await p.ask('getPrices', { service: 'tg' }))
  expect(byService).toEqual(JSON.parse(`{${russia},"2":{${kazakhstanTg}}}`))
  expect(await p.ask('getPrices', { service: 'wa', country: '0' })).toBe('{}')
  expect(await p.ask('getPrices', { country: '187' })).toBe('{}')
  catalogOf(p.t.ctx).setOffers(p.supplier.id, [{ ...fakeOffer, stock: 1 }])
  expect(await p.ask('getPrices')).toBe('{"2":{"tg":{"cost":13.00,"count":1,"physicalCount":1}}}')
})

test('getPrices is in the currency of the account', async () => {
  await using p = await startProtocolTest({ offers: [fakeOffer] })
  const dollars = await p.t.makeApiKey(await p.t.makeUser({ currency: 'usd' }))
  expect(await p.ask('getPrices')).toContain('"cost":13.00')
  expect(await p.ask('getPrices', { api_key: dollars })).toBe(
    '{"2":{"tg":{"cost":0.1445,"count":100,"physicalCount":100}}}',
  )
})

test('getNumbersStatus counts by service, in country 0 unless another is named, of all operators or some', async () => {
  await using p = await startProtocolTest({ offers })
  expect(await p.ask('getNumbersStatus')).toBe('{"tg":"40"}')
  expect(await p.ask('getNumbersStatus', { country: '2' })).toBe('{"tg":"107","wa":"3"}')
  expect(await p.ask('getNumbersStatus', { country: '2', operator: 'TELE2,mts' })).toBe('{"tg":"7"}')
  expect(await p.ask('getNumbersStatus', { country: '2', operator: 'any' })).toBe('{"tg":"107","wa":"3"}')
  expect(await p.ask('getNumbersStatus', { country: '1' })).toBe('{}')
})

test('getTopCountriesByService is an object with the keys 0, 1 …, most popular country first', async () => {
  await using p = await startProtocolTest({ offers })
  const row = (country: number, count: number, price: string, rest = '') =>
    `{"country":${country},"count":${count},"price":${price},"retail_price":${price},"physicalTotalCount":${count},` +
    `"physicalCountForDefaultPrice":${count},"physicalPriceMap":{"${price}":${count}}${rest}}`
  expect(await p.ask('getTopCountriesByService', { service: 'tg' })).toBe(
    `{"0":${row(0, 40, '39.00')},"1":${row(2, 107, '13.00')}}`,
  )
  expect(await p.ask('getTopCountriesByService', { service: 'wa', freePrice: 'true' })).toBe(
    `{"0":${row(2, 3, '0.0065', ',"freePriceMap":{"0.0065":3}')}}`,
  )
  expect(await p.ask('getTopCountriesByServiceRank', { service: 'go' })).toBe('{}')
  // C-5: without a service (or with a placeholder like "undefined") the reply covers all services in stock.
  const all = `{"tg":{"0":${row(0, 40, '39.00')},"1":${row(2, 107, '13.00')}},"wa":{"0":${row(2, 3, '0.0065')}}}`
  expect(await p.ask('getTopCountriesByService')).toBe(all)
  expect(await p.ask('getTopCountriesByServiceRank', { service: 'undefined', freePrice: 'null' })).toBe(all)
  expect(await p.ask('getTopCountriesByService', { freePrice: '1' })).toContain('"freePriceMap":{"39.00":40}')
  catalogOf(p.t.ctx).setOffers(p.supplier.id, [])
  expect(await p.ask('getTopCountriesByService')).toBe('{}')
})

test('C-8: no country is said to do what this protocol refuses, and each does what it takes', async () => {
  await using p = await startProtocolTest()
  const countries: Record<string, { retry: number; rent: number; multiService: number }> = JSON.parse(
    await p.ask('getCountries'),
  )
  for (const { retry, rent, multiService } of Object.values(countries)) {
    expect({ retry, rent, multiService }).toEqual({ retry: 1, rent: 1, multiService: 0 })
  }
  expect(await p.ask('getRentNumber')).toBe('{"status":"error","message":"BAD_SERVICE"}')
  expect(await p.ask('getMultiServiceNumber')).toBe('NOT_AVAILABLE')
})

test('countries, services and operators are told without a key', async () => {
  await using p = await startProtocolTest({ offers })
  const ask = async (query: string) => (await p.t.fetch(`/stubs/handler_api.php?${query}`)).text()
  const countries = await ask('action=getCountries')
  expect(JSON.parse(countries)['0']).toEqual({
    id: 0,
    rus: 'Россия',
    eng: 'Russia',
    chn: 'Russia',
    visible: 1,
    retry: 1,
    rent: 1,
    multiService: 0,
  })
  expect(Object.keys(JSON.parse(countries))).toHaveLength(catalogOf(p.t.ctx).countries.size)
  const english = JSON.parse(await ask('action=getServicesList'))
  expect(english.status).toBe('success')
  expect(english.services).toContainEqual({ code: 'tg', name: 'Telegram' })
  expect(english.services.length).toBe(catalogOf(p.t.ctx).services.size - 1)
  const russian = JSON.parse(await ask('action=getServicesList&lang=ru'))
  const names = (list: { code: string; name: string }[]) => new Map(list.map(({ code, name }) => [code, name]))
  const vk = catalogOf(p.t.ctx).services.get('vk')
  expect([names(english.services).get('vk'), names(russian.services).get('vk')]).toEqual([vk?.name_en, vk?.name_ru])
  expect(vk?.name_en).not.toBe(vk?.name_ru)
  expect(await ask('action=getServicesList&country=0')).toBe(
    '{"status":"success","services":[{"code":"tg","name":"Telegram"}]}',
  )
  expect(await ask('action=getOperators')).toBe(
    '{"status":"success","countryOperators":{"0":["mts"],"2":["altel","tele2"]}}',
  )
  expect(await ask('action=getOperators&country=2')).toBe(
    '{"status":"success","countryOperators":{"2":["altel","tele2"]}}',
  )
})
