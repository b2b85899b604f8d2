import {
  ActivationNotFoundError,
  AuthenticationError,
  EarlyCancelError,
  HeroSMSClient,
  NoBalanceError,
  NoNumbersError,
  WrongMaxPriceError,
} from 'hero-sms'
import { expect, test } from 'vitest'
import { MINUTE } from '#contract/time.ts'
import { expectBooksRight, pushSms } from '#test/builders/activation-rows.ts'
import { addRenting } from '#test/builders/rental-rows.ts'
import { startTestApp } from '#test/harness/harness.ts'
import { startProtocolTest } from '#test/services/handler-api-service.ts'

const PATH = '/stubs/handler_api.php'

// Checklist 8: an unmodified public client works over a real socket.
test('npm hero-sms buys a number, reads its codes and finishes', async () => {
  await using p = await startProtocolTest()
  const client = new HeroSMSClient({ apiKey: p.key, baseUrl: `${p.t.url}${PATH}` })
  expect(await client.getBalance()).toBe(100)
  const bought = await client.getNumber({ service: 'tg', country: 2, operator: 'altel', maxPrice: 20, ref: 'r1' })
  expect(bought).toEqual({ activationId: expect.any(Number), phoneNumber: expect.stringMatching(/^77\d{9}$/) })
  const { activationId: id, phoneNumber } = bought
  expect(await client.getBalance()).toBe(87)
  expect(await client.markReady(id)).toBe('ACCESS_READY')
  expect(await client.getStatus(id)).toEqual({ status: 'STATUS_WAIT_CODE' })
  expect(await client.getStatusV2(id)).toEqual({ verificationType: 0, sms: null, call: null })
  await p.sms(phoneNumber, 'Telegram code: 48213')
  expect(await client.getStatus(id)).toEqual({ status: 'STATUS_OK', code: '48213' })
  expect(await client.getStatusV2(id)).toEqual({
    verificationType: 0,
    sms: { dateTime: '2026-03-01 12:00:00', code: '48213', text: 'Telegram code: 48213' },
    call: null,
  })
  expect(await client.requestResend(id)).toBe('ACCESS_RETRY_GET')
  expect(await client.getStatus(id)).toEqual({ status: 'STATUS_WAIT_RETRY', code: '48213' })
  p.t.clock.advance(MINUTE)
  await p.sms(phoneNumber, 'Telegram code: 55555')
  expect(await client.getStatus(id)).toEqual({ status: 'STATUS_OK', code: '55555' })
  const active = await client.getActiveActivations({ start: 0, limit: 10 })
  expect(active.data).toMatchObject([
    { activationId: String(id), serviceCode: 'tg', smsCode: '55555', activationCost: 13 },
  ])
  expect(await client.complete(id)).toBe('ACCESS_ACTIVATION')
  await p.t.runJobs()
  expect(p.supplier.ended.map(({ ending }) => ending)).toEqual(['finished'])
  expect(await client.getStatus(id)).toEqual({ status: 'STATUS_CANCEL' })
  expect(await client.getBalance()).toBe(87)
})

test('npm hero-sms cancels a number and has its money back', async () => {
  await using p = await startProtocolTest()
  const client = new HeroSMSClient({ apiKey: p.key, baseUrl: `${p.t.url}${PATH}` })
  const bought = await client.getNumberV2({ service: 'tg', country: 2 })
  expect(bought).toMatchObject({ activationCost: 13, currency: 643, countryCode: 2, canGetAnotherSms: true })
  const id = Number(bought.activationId)
  await expect(client.cancel(id)).rejects.toBeInstanceOf(EarlyCancelError)
  p.t.clock.advance(2 * MINUTE)
  expect(await client.cancel(id)).toBe('ACCESS_CANCEL')
  expect(await client.getBalance()).toBe(100)
  const second = await client.getNumber({ service: 'tg', country: 2 })
  p.t.clock.advance(2 * MINUTE)
  await client.cancelActivation(String(second.activationId))
  expect(await client.getStatus(second.activationId)).toEqual({ status: 'STATUS_CANCEL' })
  await p.t.runJobs()
  expect(p.supplier.ended.map(({ ending }) => ending)).toEqual(['cancelled', 'cancelled'])
})

test('npm hero-sms understands every refusal it knows', async () => {
  await using p = await startProtocolTest()
  const client = new HeroSMSClient({ apiKey: p.key, baseUrl: `${p.t.url}${PATH}` })
  const stranger = new HeroSMSClient({ apiKey: 'x'.repeat(32), baseUrl: `${p.t.url}${PATH}` })
  await expect(stranger.getBalance()).rejects.toBeInstanceOf(AuthenticationError)
  await expect(client.getNumber({ service: 'wa', country: 2 })).rejects.toBeInstanceOf(NoNumbersError)
  const tooLow = client.getNumber({ service: 'tg', country: 2, maxPrice: 1.5 })
  await expect(tooLow).rejects.toBeInstanceOf(WrongMaxPriceError)
  await expect(tooLow).rejects.toMatchObject({ minimumPrice: 13 })
  await expect(client.getStatus(1)).rejects.toBeInstanceOf(ActivationNotFoundError)
  await expect(client.getActiveActivations()).rejects.toMatchObject({ rawResponse: 'NO_ACTIVATIONS' })
  await expect(client.setStatus(1, 3)).rejects.toBeInstanceOf(ActivationNotFoundError)
})

test('npm hero-sms reads the catalogue', async () => {
  await using p = await startProtocolTest()
  const client = new HeroSMSClient({ apiKey: p.key, baseUrl: `${p.t.url}${PATH}` })
  expect(await client.getPrices({ service: 'tg', country: 2 })).toEqual({
    '2': { tg: { cost: 13, count: 100, physicalCount: 100 } },
  })
  expect((await client.getCountries())['2']).toMatchObject({ id: 2, eng: 'Kazakhstan', rus: 'Казахстан', visible: 1 })
  expect((await client.getServicesList({ country: 2, lang: 'en' })).services).toEqual([
    { code: 'tg', name: 'Telegram' },
  ])
  expect((await client.getOperators(2)).countryOperators).toEqual({ '2': ['altel'] })
  const top = await client.getTopCountriesByService({ service: 'tg', freePrice: true })
  expect(top).toMatchObject({ '0': { country: 2, count: 100, price: 13, retail_price: 13 } })
  expect(await client.getTopCountriesByServiceRank({ service: 'tg' })).toMatchObject({ '0': { country: 2 } })
  expect(await client.getTopCountriesByService()).toEqual({ tg: { '0': expect.objectContaining({ country: 2 }) } })
})

test('npm hero-sms at the address of its dialect: envelopes are its errors, and every further call works', async () => {
  await using t = await startTestApp()
  const supplier = await addRenting(t)
  supplier.repeats = true
  const baseUrl = `${t.url}/hero-sms${PATH}`
  const client = new HeroSMSClient({ apiKey: await t.makeApiKey(await t.makeUser({ balance: '500' })), baseUrl })
  const poor = new HeroSMSClient({ apiKey: await t.makeApiKey(await t.makeUser({ balance: '1' })), baseUrl })
  const stranger = new HeroSMSClient({ apiKey: 'x'.repeat(32), baseUrl })
  const wanted = { service: 'tg', country: 2 }
  await expect(poor.getNumber(wanted)).rejects.toBeInstanceOf(NoBalanceError)
  await expect(stranger.getBalance()).rejects.toBeInstanceOf(AuthenticationError)
  await expect(client.getNumber({ ...wanted, service: 'wa' })).rejects.toBeInstanceOf(NoNumbersError)
  await expect(client.getNumberV2({ ...wanted, maxPrice: 1 })).rejects.toMatchObject({ minimumPrice: 13 })
  await expect(client.getNumber({ ...wanted, service: 'zzz' })).rejects.toMatchObject({
    code: 'UNPROCESSABLE_ENTITY',
    info: { field: 'service', code: 'INVALID' },
  })
  await expect(client.getStatus(1)).rejects.toMatchObject({ code: 'NOT_FOUND' })
  const { activationId, phoneNumber, activationTime } = await client.getNumberV2(wanted)
  expect(new Date(activationTime)).toEqual(t.clock.now())
  const id = Number(activationId)
  await expect(client.cancel(id)).rejects.toBeInstanceOf(EarlyCancelError)
  await pushSms(t, supplier, { phone: phoneNumber })
  await expect(client.cancel(id)).rejects.toMatchObject({ code: 'OTP_RECEIVED' })
  expect(await client.getStatusV2(id)).toMatchObject({ sms: { code: '48213' }, data: { code: '48213', type: 'sms' } })
  const { data, meta } = await client.getAllSms({ id: activationId })
  expect([data, meta]).toMatchObject([[{ code: '48213', service: 'tg' }], { total: 1 }])
  await client.finishActivation(activationId)
  await expect(client.getAllSms({ id: activationId })).rejects.toMatchObject({ code: 'ACTIVATION_NOT_ACTIVE' })
  expect(await client.getHistory({ size: 5 })).toMatchObject([
    { id: activationId, phone: phoneNumber, sms: 'Telegram code: 48213', cost: 13, status: '6', currency: 643 },
  ])
  t.clock.advance(MINUTE)
  expect(await client.getReactivationPrice(activationId)).toEqual({ data: { price: 13, currency: 643 } })
  expect(await client.reactivate(activationId)).toMatchObject({ phoneNumber, canGetAnotherSms: true })
  expect(await client.getRentPrices({ service: 'full', country: 2 })).toMatchObject({
    2: { 4: { price: 52, count: 10 } },
  })
  const { services } = await client.getRentServicesAndCountries({ country: 2, duration: 3 })
  expect(services.full).toMatchObject({ quantity: 10, price: 52, retail_price: 52 })
  const rented = await client.getRentNumber({ service: 'full', country: 2, duration: 3 })
  const end = new Date(t.clock.now().getTime() + 240 * MINUTE)
  expect([rented.activationCost, new Date(rented.activationEndTime)]).toEqual([52, end])
  await expect(client.getRentNumber({ service: 'full', country: 2, duration: 1441 })).rejects.toMatchObject({
    code: 'MAX_HOURS_EXCEEDED',
    info: { max: 1440 },
  })
  await expectBooksRight(t.ctx)
})
