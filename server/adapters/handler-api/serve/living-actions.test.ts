import { expect, test } from 'vitest'
import { MINUTE } from '#contract/time.ts'
import { refreshOffers } from '#server/core/catalog/offers/refresh-offers.ts'
import { count, expectBooksRight, pushSms } from '#test/builders/activation-rows.ts'
import { addRenting } from '#test/builders/rental-rows.ts'
import { fakeOffer } from '#test/fakes/fake-supplier.ts'
import { startTestApp } from '#test/harness/harness.ts'
import { type ProtocolTest, startProtocolTest } from '#test/services/handler-api-service.ts'

const tg = { service: 'tg', country: '2' }
const askJson = async (p: ProtocolTest, action: string, parameters: Record<string, string> = {}) =>
  JSON.parse(await p.ask(action, parameters))
const offer = (countryId: number, rubles: bigint) => ({ ...fakeOffer, countryId, costMicros: rubles * 1_000_000n })

test('C-7: any country is the cheapest that has numbers, within the ceiling; prices and rents take it as all', async () => {
  await using p = await startProtocolTest({
    balance: '100',
    offers: [offer(2, 10n), offer(6, 5n), offer(7, 20n), offer(8, 30n)],
  })
  const buy = (more: Record<string, string> = {}) => p.ask('getNumberV2', { service: 'tg', country: 'any', ...more })
  expect(JSON.parse(await buy())).toMatchObject({ countryCode: 6, activationCost: 6.5 })
  expect(JSON.parse(await buy({ country: '*', operator: 'altel' }))).toMatchObject({ countryCode: 6 })
  expect(await buy({ maxPrice: '6.49' })).toBe('WRONG_MAX_PRICE:6.50')
  expect(await buy({ service: 'zzz' })).toBe('BAD_SERVICE')
  expect(await buy({ service: 'wa' })).toBe('NO_NUMBERS')
  p.supplier.onBuy = async (order) =>
    order.countryId === 6 ? { outcome: 'refused', reason: 'no-numbers' } : p.supplier.sell(order)
  expect(JSON.parse(await buy({ orderId: 'one' }))).toMatchObject({ countryCode: 2, activationCost: 13 })
  expect(await buy({ orderId: 'one' })).toBe('ORDER_ALREADY_EXISTS')
  const asked = p.supplier.orders.length
  p.supplier.onBuy = async () => ({ outcome: 'refused', reason: 'no-numbers' })
  expect(await buy()).toBe('NO_NUMBERS')
  expect(p.supplier.orders.length - asked).toBe(3)
  expect(await p.ask('getPrices', { country: 'any' })).toBe(await p.ask('getPrices'))
  expect(await askJson(p, 'getNumbersStatus', { country: '*' })).toEqual({ tg: '400' })
  expect(await p.ask('getRentNumber', { service: 'full', country: 'any' })).toBe(
    '{"status":"error","message":"NO_NUMBERS"}',
  )
  await expectBooksRight(p.t.ctx)
})

test('C-7: providerIds are the numbers of suppliers in getPricesV3, at their own lowest price', async () => {
  await using p = await startProtocolTest()
  const dear = await p.t.addFake('dear', [offer(2, 20n)])
  const [cheapId, dearId] = [p.supplier.id, dear.id].map(String) as [string, string]
  const { 2: sold } = await askJson(p, 'getPricesV3', tg)
  expect(sold.tg).toMatchObject({
    price: 13,
    count: 200,
    providers: { [cheapId]: { price: [13] }, [dearId]: { price: [26] } },
  })
  const only = await askJson(p, 'getPricesV3', { ...tg, exceptProviderIds: cheapId })
  expect(only[2].tg).toMatchObject({ price: 26, count: 100 })
  expect(await askJson(p, 'getPrices', { country: '2', providerIds: dearId })).toEqual({
    2: { tg: { cost: 26, count: 100, physicalCount: 100 } },
  })
  expect(await askJson(p, 'getPricesV2', tg)).toEqual({ 2: { tg: { '13.00': 100, '26.00': 100 } } })
  expect(await askJson(p, 'getProviders')).toMatchObject([{ id: p.supplier.id, numbers_count: 100 }, { id: dear.id }])
  const needsPair = '{"status":"false","msg":"country is incorrect"}'
  expect(await p.ask('getPricesV3', { providerIds: dearId })).toBe(needsPair)
  const buy = (more: Record<string, string>) => p.ask('getNumberV2', { ...tg, ...more })
  expect(JSON.parse(await buy({ providerIds: dearId }))).toMatchObject({ activationCost: 26 })
  expect(JSON.parse(await buy({ exceptProviderIds: dearId }))).toMatchObject({ activationCost: 13 })
  expect(await buy({ providerIds: dearId, maxPrice: '20' })).toBe('WRONG_MAX_PRICE:26.00')
  for (const none of ['999', 'x', `-${dearId}`]) expect(await buy({ providerIds: none })).toBe('NO_NUMBERS')
  expect(await buy({ exceptProviderIds: `${cheapId},${dearId}` })).toBe('NO_NUMBERS')
  const php = `exceptProviderIds[]=${cheapId}&exceptProviderIds[]=${dearId}&providerIds[]=`
  const asked = `/stubs/handler_api.php?api_key=${p.key}&action=getNumber&service=tg&country=2&${php}`
  expect(await (await p.t.fetch(asked)).text()).toBe('NO_NUMBERS')
  expect([p.supplier.orders.length, dear.orders.length]).toEqual([1, 1])
  p.supplier.offers = [2, 6, 7, 8].map((country) => offer(country, 1n))
  dear.offers = [offer(9, 30n), offer(10, 20n)]
  for (const supplier of [p.supplier, dear]) await refreshOffers(p.t.ctx, supplier)
  const away = { country: 'any', providerIds: dearId }
  expect(JSON.parse(await buy(away))).toMatchObject({ countryCode: 10, activationCost: 26 })
  expect(JSON.parse(await buy({ country: 'any', exceptProviderIds: cheapId }))).toMatchObject({ countryCode: 10 })
  await expectBooksRight(p.t.ctx)
})

test('setMaxPrice holds for later purchases by that key which name no ceiling, at once, and 0 takes it away', async () => {
  await using p = await startProtocolTest()
  const other = await p.t.makeApiKey(await p.t.makeUser())
  const set = (maxPrice: string, more: Record<string, string> = {}) =>
    p.ask('setMaxPrice', { ...tg, maxPrice, random: 'true', ...more })
  expect(await set('12.99')).toBe('{"status":"success"}')
  expect(await p.ask('getNumber', tg)).toBe('WRONG_MAX_PRICE:13.00')
  expect(await p.ask('getNumber', { ...tg, maxPrice: '13' })).toMatch(/^ACCESS_NUMBER/)
  expect(
    await (await p.t.fetch(`/stubs/handler_api.php?api_key=${other}&action=getNumber&service=tg&country=2`)).text(),
  ).toMatch(/^ACCESS/)
  for (const none of ['cheap', '0.0000001', '-0.0000001', '-5']) expect(await set(none)).toBe('BAD_DATA')
  expect(await p.ask('getNumber', tg)).toBe('WRONG_MAX_PRICE:13.00')
  expect(await set('13.100000000000001')).toBe('{"status":"success"}')
  expect(await p.ask('getNumber', tg)).toMatch(/^ACCESS_NUMBER/)
  expect(await set('0')).toBe('{"status":"success"}')
  expect(await p.ask('setMaxPrice', { country: '2', maxPrice: '1' })).toBe('{"status":"success"}')
  expect(await p.ask('getNumber', tg)).toBe('WRONG_MAX_PRICE:13.00')
  expect(await set('1', { service: 'zzz' })).toBe('BAD_SERVICE')
  expect(await set('1', { country: '99999' })).toBe('BAD_COUNTRY')
  expect(await count(p.t.ctx, 'key_ceilings')).toBe(1)
})

test('a finished number is bought once more by each name of that, and a repeated orderId buys nothing', async () => {
  await using p = await startProtocolTest()
  p.supplier.repeats = true
  const { id, phone } = await p.buy()
  expect(await p.ask('checkExtraActivation', { activationId: id })).toBe('RENEW_ACTIVATION_NOT_AVAILABLE')
  await p.sms(phone, 'Telegram code: 48213')
  await p.ask('setStatus', { id, status: '6' })
  p.t.clock.advance(MINUTE)
  const quoted = { status: 'success', cost: 13, service: 'tg', phone: Number(phone), country: 2 }
  expect(await askJson(p, 'checkExtraActivation', { activationId: id })).toEqual(quoted)
  const option = { price: 13, duration: { unit: 'minute', value: 20 } }
  expect(await askJson(p, 'reactivateOptions', { id })).toEqual({ data: { options: [option] } })
  expect(await askJson(p, 'reactivationPrice', { id })).toEqual({ data: { price: 13, currency: 643 } })
  expect(await p.ask('getExtraActivation', { activationId: id, maxPrice: '12' })).toBe('WRONG_MAX_PRICE:13.00')
  await p.ask('setMaxPrice', { country: '2', maxPrice: '12.99' })
  expect(await p.ask('getExtraActivation', { activationId: id })).toBe('WRONG_MAX_PRICE:13.00')
  expect(await p.ask('reactivate', { id })).toBe('WRONG_MAX_PRICE:13.00')
  await p.ask('setMaxPrice', { country: '2', maxPrice: '0' })
  const again = await p.ask('getExtraActivation', { activationId: id, orderId: 'again' })
  expect(again).toMatch(new RegExp(`^ACCESS_NUMBER:\\d+:${phone}$`))
  expect(await p.ask('getExtraActivation', { activationId: id, orderId: 'again' })).toBe('ORDER_ALREADY_EXISTS')
  await p.sms(phone, 'Telegram code: 55555')
  await p.ask('setStatus', { id: again.split(':')[1] ?? '', status: '6' })
  expect(await askJson(p, 'reactivate', { id, duration: '2' })).toMatchObject({
    phoneNumber: phone,
    activationCost: 13,
  })
  p.supplier.onBuy = async () => ({ outcome: 'refused', reason: 'no-numbers' })
  expect(await p.ask('reactivate', { id })).toMatch(/^(NEW_ACTIVATION_IMPOSSIBLE|RENEW_ACTIVATION_NOT_AVAILABLE)$/)
  await expectBooksRight(p.t.ctx)
})

test('the past of thirty days by pages, all messages of an open number, and lists of open numbers', async () => {
  await using p = await startProtocolTest()
  expect(await askJson(p, 'getHistory')).toEqual([])
  expect(await askJson(p, 'getCurrentActivations')).toEqual({ status: 'fail', msg: 'no_activations' })
  expect(await askJson(p, 'getListOfActiveActivations')).toMatchObject({ data: [], existNext: false, quant: 0 })
  const [first, second] = [await p.buy(), await p.buy()]
  await p.sms(first.phone, 'Telegram code: 11111')
  await p.sms(first.phone, 'Telegram code: 22222')
  const { data, meta } = await askJson(p, 'getAllSms', { id: first.id, size: '1', page: '2' })
  expect(data).toEqual([expect.objectContaining({ code: '11111', phoneFrom: 'Telegram', service: 'tg', type: 'sms' })])
  expect(meta).toEqual({ total: 2, service: 'tg' })
  const { array, data: same } = await askJson(p, 'getCurrentActivations', { limit: '5' })
  expect(array).toMatchObject([
    { id: Number(second.id), phone: second.phone, status: '1', code: '', timer: 1200 },
    { id: Number(first.id), status: '2', code: '22222' },
  ])
  expect(same).toEqual(array)
  const { data: listed, ...rest } = await askJson(p, 'getListOfActiveActivations', { start: '0', length: '1' })
  expect([listed[0].id, listed[0].phone, listed[0].finishDate - listed[0].createDate]).toEqual([
    Number(second.id),
    Number(second.phone),
    1200,
  ])
  expect(rest).toEqual({ status: 'success', existNext: true, quant: 2 })
  await p.ask('setStatus', { id: first.id, status: '6' })
  expect(await p.ask('getAllSms', { id: first.id })).toBe('ACTIVATION_NOT_ACTIVE')
  const ids = async (more: Record<string, string> = {}) =>
    (await askJson(p, 'getActivationHistory', more)).map(({ id, status }: { id: number; status: string }) => [
      String(id),
      status,
    ])
  expect(await ids()).toEqual([
    [second.id, '4'],
    [first.id, '6'],
  ])
  expect(await ids({ limit: '1', offset: '1' })).toEqual([[first.id, '6']])
  expect(await ids({ size: '1' })).toEqual([[second.id, '4']])
  const now = Math.floor(p.t.clock.now().getTime() / 1000)
  expect(await ids({ start: String(now - 20), end: String(now - 10) })).toEqual([])
  const stranger = await p.t.makeApiKey(await p.t.makeUser())
  const theirs = await p.t.fetch(`/stubs/handler_api.php?api_key=${stranger}&action=getAllSms&id=${second.id}`)
  expect(await theirs.text()).toBe('NO_ACTIVATION')
})

test('further lists of prices and stock, and what the field sells and this service does not', async () => {
  await using p = await startProtocolTest()
  const row = { cost: 13, count: 100 }
  expect(await askJson(p, 'getPricesExtended', tg)).toEqual({ 2: { tg: row } })
  expect(await askJson(p, 'getPricesExtended', { freePrice: 'true' })).toEqual({
    2: { tg: { ...row, freePriceMap: { '13.00': 100 } } },
  })
  expect(await askJson(p, 'getPricesVerification')).toEqual({})
  expect(await askJson(p, 'getFreePrices')).toEqual({ 2: { tg: { '13.00': 100 } } })
  expect(await askJson(p, 'getOffers', { services: 'tg,wa', countries: '2,6' })).toMatchObject({
    data: { tg: { 2: { counts: { total: 100 }, map: { '13.00': 100 } } }, wa: {} },
  })
  expect(await askJson(p, 'getServiceNumbersCount', { service: 'tg' })).toEqual([{ countryCode: 2, numbersCount: 100 }])
  expect(await askJson(p, 'getListOfTopCountriesByService', { service: 'tg' })).toEqual([
    { country: 2, share: 0, rate: 0 },
  ])
  expect(await askJson(p, 'getNumbersStatusAndCostHubFree', { country: '2' })).toMatchObject({
    tg: { priceMap: { '13.00': 100 }, totalQuantity: 100 },
  })
  expect(await askJson(p, 'getNumbersStatusAndMediumSmsTime', { country: '2' })).toEqual({
    tg_0: { cost: 13, quant: 100, med_time: null },
  })
  expect(await p.ask('getServices')).toBe(await p.ask('getServicesList'))
  expect(await askJson(p, 'getBalance', { format: 'json' })).toEqual({ balance: '100.00', currency: 643 })
  expect(await askJson(p, 'updateApiCurrency', { currency: '643' })).toEqual({ status: 'success', currency: 643 })
  for (const action of ['getNotifications', 'createTaskForCall', 'getOutgoingCalls'])
    expect(await p.ask(action)).toBe('NOT_AVAILABLE')
  expect(await p.ask('getQiwiRequisites')).toBe('BAD_ACTION')
})

test('rent: each price call quotes what is charged for hours that are not sold, and endDate says the longer period', async () => {
  await using t = await startTestApp()
  const supplier = await addRenting(t)
  const key = await t.makeApiKey(await t.makeUser({ balance: '1000' }))
  const ask = async (action: string, parameters: Record<string, string> = {}) => {
    const query = new URLSearchParams({ api_key: key, action, ...parameters })
    return JSON.parse(await (await t.fetch(`/stubs/handler_api.php?${query}`)).text())
  }
  const full = { service: 'full', country: '2' }
  expect(await ask('serviceCountRent', { service: 'full' })).toMatchObject({
    2: { 4: { count: 10, price: 52 }, 24: { price: 130 } },
  })
  for (const [name, hours, price, endDate] of [
    ['time', '3', 52, '2026-03-01T16:00:00'],
    ['hours', '5', 130, '2026-03-02T12:00:00'],
  ] as const) {
    expect((await ask('getRentServicesAndCountries', { country: 'any', [name]: hours })).services.full.cost).toBe(price)
    expect((await ask('getRentPrices', { [name]: hours })).values[2].full.cost).toBe(price)
    const rented = await ask('getRentNumber', { ...full, country: '*', [name]: hours })
    expect(rented).toMatchObject({ activationCost: price, phone: { endDate } })
  }
  const { phone } = await ask('getRentNumber', { ...full, duration: '4' })
  await pushSms(t, supplier, { phone: phone.number })
  const id = String(phone.id)
  const info = await ask('continueRentInfo', { id, hours: '2', needHistory: '1' })
  expect(info).toMatchObject({
    status: 'success',
    price: 52,
    currency: 643,
    hours: 4,
    history: { 0: { price: '52.00', hours: 4 } },
  })
  expect(await ask('getContinueRentPriceNumber', { id, rent_time: '5' })).toEqual({
    status: 'success',
    price: 130,
    currency: 643,
  })
  expect((await ask('prolongOptions', { id })).data.options).toContainEqual({
    price: 52,
    duration: { unit: 'hour', value: 4 },
  })
  expect(await ask('prolong', { id, duration: '3' })).toMatchObject({ phone: { endDate: '2026-03-01T20:00:00' } })
  expect((await ask('prolongHistory', { id })).data).toMatchObject([
    { userPrice: 52, hours: 4, payerType: 'client' },
    { userPrice: 52, hours: 4 },
  ])
  await expectBooksRight(t.ctx)
})
