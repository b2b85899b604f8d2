import { FiveSim } from '5sim-api'
import {
  AuthenticationError,
  FiveSimAPI,
  GuestService,
  HostingOrderError,
  InsufficientBalanceError,
  NoPhoneNumbersError,
  NotFoundError,
  OrderExpiredError,
  OrderHasSMSError,
  UserService,
} from 'fivesim-api'
import { expect, onTestFinished, test, vi } from 'vitest'
import { MINUTE } from '#contract/time.ts'
import { moneyOf } from '#test/builders/activation-rows.ts'
import { fakeRentOffers } from '#test/fakes/fake-rent.ts'
import { startFiveSimTest } from '#test/services/five-sim-service.ts'

function useHost(url: string): void {
  for (const service of [GuestService, UserService]) {
    const before: unknown = Reflect.get(service, 'baseURL')
    Reflect.set(service, 'baseURL', `${url}/v1`)
    onTestFinished(() => {
      Reflect.set(service, 'baseURL', before)
    })
  }
}

test('17.3: npm fivesim-api reads the lists, buys, waits, ends and rents', async () => {
  await using f = await startFiveSimTest({ rentOffers: fakeRentOffers, balance: '1000' })
  f.supplier.repeats = true
  useHost(f.t.url)
  expect(await FiveSimAPI.getPricesByCountryAndProduct('kazakhstan', 'telegram')).toEqual({
    kazakhstan: { telegram: { altel: { cost: 13, count: 100 } } },
  })
  expect((await FiveSimAPI.getCountries()).kazakhstan).toMatchObject({ altel: { activation: 1, hosting: 1 } })
  expect(await FiveSimAPI.getNotifications('en')).toEqual({ text: '' })
  const client = new FiveSimAPI(f.key)
  const buying = client.buyActivationNumber('kazakhstan', 'best', 'telegram', { maxPrice: 13, reuse: '1', wait: true })
  const { phone } = await vi.waitUntil(() => f.supplier.sold.get('100000001-1'), { timeout: 10_000 })
  await vi.waitUntil(async () => (await moneyOf(f.t, f.buyer)).held === '13.00', { timeout: 10_000 })
  await f.sms(`+${phone}`)
  const order = await buying
  expect(order).toMatchObject({ operator: 'altel', price: 13, status: 'RECEIVED', sms: [{ code: '48213' }] })
  expect(await client.finishOrder(order.id)).toMatchObject({ status: 'FINISHED' })
  const again = await client.reuseNumber('telegram', order.phone.slice(1))
  expect(await client.banOrder(again.id)).toMatchObject({ status: 'BANNED' })
  const third = await client.buyActivationNumber('kazakhstan', 'any', 'telegram')
  f.t.clock.advance(2 * MINUTE)
  expect(await client.cancelOrder(third.id)).toMatchObject({ status: 'CANCELED' })
  const history = await client.getOrderHistory({ category: 'activation', limit: 2, reverse: true })
  expect([history.Total, history.Data.map(({ status }) => status)]).toEqual([3, ['CANCELED', 'BANNED']])
  const rented = await client.buyHostingNumber('kazakhstan', 'any', '1day')
  expect(rented).toMatchObject({ product: '1day', price: 130 })
  await f.sms(rented.phone)
  expect(await client.getSMSInbox(rented.id)).toMatchObject({ Total: 1, Data: [{ code: '48213', is_wave: false }] })
  expect((await client.getPaymentHistory()).Data).toMatchObject([{ TypeName: 'charge', Amount: 1000, Balance: 1000 }])
  expect(await client.getProfile()).toMatchObject({ balance: 857, frozen_balance: 0, rating: 96 })
})

test('17.3: npm fivesim-api knows each refusal by its class', async () => {
  await using f = await startFiveSimTest({
    rentOffers: fakeRentOffers,
    balance: '143',
    environment: { FIVE_SIM_NO_PHONES_STATUS: '400' },
  })
  useHost(f.t.url)
  const client = new FiveSimAPI(f.key)
  const buy = (limits: object = {}) => client.buyActivationNumber('kazakhstan', 'any', 'telegram', limits)
  const rented = await client.buyHostingNumber('kazakhstan', 'any', '1day')
  await expect(client.cancelOrder(rented.id)).rejects.toThrow(HostingOrderError)
  await expect(buy({ maxPrice: 12.99 })).rejects.toThrow(NoPhoneNumbersError)
  const { id, phone } = await buy()
  await expect(buy()).rejects.toThrow(InsufficientBalanceError)
  await expect(client.checkOrder(1)).rejects.toThrow(NotFoundError)
  await f.sms(phone)
  await expect(client.cancelOrder(id)).rejects.toThrow(OrderHasSMSError)
  await client.finishOrder(id)
  await expect(client.banOrder(id)).rejects.toThrow(OrderExpiredError)
  await expect(new FiveSimAPI('a'.repeat(32)).getProfile()).rejects.toThrow(AuthenticationError)
  expect(await client.setPriceLimit({ product_name: 'telegram', price: 12.5 })).toEqual({ success: true })
  expect(await client.getPriceLimits()).toMatchObject([{ product: 'telegram', price: 12.5 }])
  await expect(buy()).rejects.toThrow(NoPhoneNumbersError)
  await client.deletePriceLimit({ product_name: 'telegram' })
  await expect(buy()).rejects.toThrow(InsufficientBalanceError)
})

test('17.3: npm 5sim-api buys, polls for the code, lists and gives back', async () => {
  await using f = await startFiveSimTest({ rentOffers: fakeRentOffers, balance: '1000' })
  const client = new FiveSim(f.key)
  for (const part of Object.values(client)) part.api.defaults.baseURL = `${f.t.url}/v1/`
  expect(await client.getUserBalance()).toMatchObject({ balance: 1000, default_country: { name: 'russia', iso: 'ru' } })
  const wanted = { country: 'kazakhstan', operator: 'any', product: 'telegram' }
  const one = await client.buyActivationNumber(wanted)
  expect(one).toMatchObject({ phone: expect.stringMatching(/^\+77/), status: 'PENDING', sms: null })
  const code = client.waitForSMS({ id: String(one.id), interval: 10 })
  await f.sms(one.phone)
  expect(await code).toMatchObject({ code: '48213', sender: 'Telegram' })
  const other = await client.buyActivationNumber(wanted)
  expect(await client.banNumber(other.id)).toMatchObject({ status: 'BANNED' })
  const third = await client.buyActivationNumber(wanted)
  f.t.clock.advance(2 * MINUTE)
  expect(await client.cancelNumber(third.id)).toMatchObject({ status: 'CANCELED' })
  expect(await client.buyHostingNumber({ ...wanted, product: '3hours' })).toMatchObject({
    price: 52,
    product: '3hours',
  })
  expect((await client.getOrderHistory('hosting')).Total).toBe(1)
  expect((await client.getOrderHistory('activation')).Data.map(({ status }) => status)).toEqual([
    'RECEIVED',
    'BANNED',
    'CANCELED',
  ])
  expect(await moneyOf(f.t, f.buyer)).toEqual({ balance: '935.00', held: '52.00' })
})
