import { expect, test } from 'vitest'
import { HOUR, MINUTE, SECOND } from '#contract/time.ts'
import { count, expectBooksRight, moneyOf, pushSms, transfersOf } from '#test/builders/activation-rows.ts'
import { readRental, rentOne } from '#test/builders/rental-rows.ts'
import { fakeRentOffers } from '#test/fakes/fake-rent.ts'
import { type FakeSupplier, fakeOffer } from '#test/fakes/fake-supplier.ts'
import { call } from '#test/harness/calls.ts'
import { beginTestSession, startTestApp, type TestApp, type TestUser } from '#test/harness/harness.ts'
import { listen } from '#test/harness/live-listener.ts'
import { verifyDelivery } from './verify-delivery.ts'

const SERVICES = ['tg', 'wa', 'go', 'ig', 'vk']
const PHONE = '77051230001'

async function addShared(t: TestApp, phone = PHONE): Promise<FakeSupplier> {
  const offers = SERVICES.map((serviceCode) => ({ ...fakeOffer, serviceCode }))
  const supplier = await t.addFake('shared', offers, fakeRentOffers)
  supplier.onBuy = async (order) => ({ ...supplier.sell(order), phone })
  return supplier
}

async function buy(t: TestApp, user: TestUser, service_id: string): Promise<number> {
  return (await call(t, 'POST /api/v1/activations', { service_id, country_id: 2 }, { token: user.token })).data.id
}

async function read(t: TestApp, user: TestUser, id: number) {
  return (await call(t, 'GET /api/v1/activations/{id}', { id }, { token: user.token })).data
}

async function givenIn(t: TestApp): Promise<string[]> {
  const { rows } = await t.ctx.db.query<{ given: string }>({ text: 'SELECT given FROM messages ORDER BY id' })
  return rows.map(({ given }) => given)
}

async function expectAllRight(t: TestApp): Promise<void> {
  await expectBooksRight(t.ctx)
  expect((await verifyDelivery(t.ctx.db)).checks.flatMap(({ problems }) => problems)).toEqual([])
}

const WRITTEN = {
  go: { sender: 'Google', text: 'G-123456 is your Google verification code.' },
  ig: { sender: 'Instagram', text: '<#> 234 567 is your Instagram code. Don’t share it.' },
  vk: { sender: 'VK', text: 'VK: 345678 - use this code to activate your VK profile.' },
  wa: { sender: 'WhatsApp', text: 'Your WhatsApp code: 456-789' },
} as const
const CODES = { go: '123456', ig: '234567', vk: '345678', wa: '456789' }

test('R-B: on a number of several holders each message reaches the account whose service it names, and charges it alone', async () => {
  await using t = await startTestApp()
  const supplier = await addShared(t)
  const buyers: Record<string, { user: TestUser; id: number }> = {}
  for (const service of ['go', 'ig', 'vk', 'wa', 'tg']) {
    const user = await t.makeUser({ balance: '20.00' })
    buyers[service] = { user, id: await buy(t, user, service) }
  }
  // Telegram's order is the newest. It used to get every message without a full service name.
  for (const sms of Object.values(WRITTEN)) await pushSms(t, supplier, { phone: PHONE, ...sms })
  for (const [service, { user, id }] of Object.entries(buyers)) {
    const { code, messages } = await read(t, user, id)
    expect(code, service).toBe(CODES[service as keyof typeof CODES] ?? null)
    expect(messages, service).toHaveLength(service === 'tg' ? 0 : 1)
    expect(await transfersOf(t.ctx, id), service).toEqual(service === 'tg' ? ['hold'] : ['hold', 'capture'])
  }
  await pushSms(t, supplier, { phone: PHONE, sender: '900', text: 'Code 11111' })
  expect(await givenIn(t)).toEqual(['named', 'named', 'named', 'named', 'unmatched'])
  await expectAllRight(t)
})

test('R-B: a Telegram code 0.4 s after its buyer pressed "used" is kept for him, late, and the Google of another is left alone', async () => {
  await using t = await startTestApp()
  const supplier = await addShared(t)
  const [anna, boris] = [await t.makeUser({ balance: '20.00' }), await t.makeUser({ balance: '20.00' })]
  const telegram = await buy(t, anna, 'tg')
  const google = await buy(t, boris, 'go')
  await call(t, 'POST /api/v1/activations/{id}/used', { id: telegram }, { token: anna.token })
  t.clock.advance(400)
  await pushSms(t, supplier, { phone: PHONE, text: 'Telegram code: 48213' })
  // A message without a service name may belong to either account, so staff must decide about it.
  await pushSms(t, supplier, { phone: PHONE, sender: '900', text: 'Code 22222' })
  expect(await givenIn(t)).toEqual(['late', 'unmatched'])
  expect(await read(t, boris, google)).toMatchObject({ state: 'waiting', money: 'held', code: null, messages: [] })
  expect(await read(t, anna, telegram)).toMatchObject({
    state: 'used',
    money: 'released',
    code: null,
    messages: [{ sender: '', text: '', code: null, late: true, withheld: true }],
  })
  expect(await moneyOf(t, anna)).toEqual({ balance: '20.00', held: '0.00' })
  await t.ctx.db.query({
    text: `UPDATE activations SET expires_at = expires_at + interval '1 day' WHERE state = 'waiting'`,
  })
  t.clock.advance(20 * MINUTE)
  Object.assign(boris, await beginTestSession(t.ctx, boris.id))
  await pushSms(t, supplier, { phone: PHONE, sender: '900', text: 'Code 33333' })
  expect(await read(t, boris, google)).toMatchObject({ code: '33333', money: 'captured' })
  await expectAllRight(t)
})

test('a message that names another service never reaches the only holder; one that names none does', async () => {
  await using t = await startTestApp()
  const supplier = await addShared(t)
  const buyer = await t.makeUser({ balance: '20.00' })
  using live = await listen(t, buyer)
  const id = await buy(t, buyer, 'go')
  await live.next('ActivationChanged')
  await pushSms(t, supplier, { phone: PHONE, ...WRITTEN.wa })
  await pushSms(t, supplier, { phone: PHONE, sender: '22000', text: 'Code 77777' })
  expect((await live.next('NewCode')).message).toMatchObject({ code: '77777' })
  const { messages } = await read(t, buyer, id)
  expect(messages.map(({ text }) => text)).toEqual(['Code 77777'])
  expect(await givenIn(t)).toEqual(['unmatched', 'only-holder'])
  await expectAllRight(t)
})

test('with several services of one account an unnamed message goes to the newest that waits', async () => {
  await using t = await startTestApp()
  const supplier = await addShared(t)
  const buyer = await t.makeUser({ balance: '100.00' })
  const whatsapp = await buy(t, buyer, 'wa')
  const telegram = await buy(t, buyer, 'tg')
  const push = (text: string) => pushSms(t, supplier, { phone: PHONE, sender: '900', text })
  await push('Code 11111')
  await push('Code 22222')
  expect(await read(t, buyer, telegram)).toMatchObject({ code: '11111' })
  expect(await read(t, buyer, whatsapp)).toMatchObject({ code: '22222' })
  await expectAllRight(t)
})

test('what a supplier ties to an order is that order’s: not another supplier’s, not another number’s, and late once it ended', async () => {
  await using t = await startTestApp()
  const supplier = await addShared(t)
  const other = await t.addFake('other', [])
  const [anna, boris] = [await t.makeUser({ balance: '50.00' }), await t.makeUser({ balance: '50.00' })]
  const telegram = await buy(t, anna, 'tg')
  const google = await buy(t, boris, 'go')
  const tied = async (by: FakeSupplier, reference: string, change: { phone?: string; text?: string } = {}) => {
    await pushSms(t, by, { phone: PHONE, sender: '900', text: 'Code 44444', ...change, reference })
    return (await givenIn(t)).at(-1)
  }
  expect(await tied(supplier, `${telegram}-1`)).toBe('reference')
  expect(await read(t, anna, telegram)).toMatchObject({ code: '44444', money: 'captured' })
  expect(await tied(other, `${google}-1`)).toBe('unmatched')
  expect(await tied(supplier, `${google}-1`, { phone: '77059999999' })).toBe('unmatched')
  expect(await tied(supplier, `${google}-2`)).toBe('unmatched')
  expect(await tied(supplier, `r${google}-1`, { text: 'x' })).toBe('unmatched')
  expect(await tied(supplier, `${google}-1'; --`, { text: 'y' })).toBe('unmatched')
  expect(await read(t, boris, google)).toMatchObject({ money: 'held', messages: [] })
  t.clock.advance(2 * MINUTE)
  await call(t, 'POST /api/v1/activations/{id}/cancel', { id: google }, { token: boris.token })
  expect(await tied(supplier, `${google}-1`, { text: 'Code 55555' })).toBe('late')
  expect(await read(t, boris, google)).toMatchObject({
    money: 'released',
    messages: [{ text: '', code: null, late: true, withheld: true }],
  })
  await expectAllRight(t)
})

test('an operator’s notice is nobody’s and charges nobody, whatever is held', async () => {
  await using t = await startTestApp()
  const supplier = await addShared(t)
  const buyer = await t.makeUser({ balance: '300.00' })
  const id = await buy(t, buyer, 'tg')
  const rental = await rentOne(t, buyer)
  const notice = { sender: 'Beeline', text: 'Баланс ниже 30 руб. Пополните счёт: *111#' }
  for (const phone of [PHONE, rental.phone]) await pushSms(t, supplier, { phone, ...notice })
  expect(await givenIn(t)).toEqual(['operator', 'operator'])
  expect(await transfersOf(t.ctx, id)).toEqual(['hold'])
  expect((await readRental(t, buyer, rental.id)).messages).toEqual([])
  await expectAllRight(t)
})

test('a late message is kept for a day under whoever had the number for that service last, and for nobody after it', async () => {
  await using t = await startTestApp()
  const supplier = await addShared(t)
  const buyer = await t.makeUser({ balance: '50.00' })
  const id = await buy(t, buyer, 'tg')
  t.clock.advance(2 * MINUTE)
  await call(t, 'POST /api/v1/activations/{id}/cancel', { id }, { token: buyer.token })
  t.clock.advance(24 * HOUR - SECOND)
  await pushSms(t, supplier, { phone: PHONE, text: 'Telegram code: 11111' })
  t.clock.advance(SECOND)
  await pushSms(t, supplier, { phone: PHONE, text: 'Telegram code: 22222' })
  expect(await givenIn(t)).toEqual(['late', 'unmatched'])
  expect(await count(t.ctx, 'messages WHERE activation_id = $1', [id])).toBe(1)
  Object.assign(buyer, await beginTestSession(t.ctx, buyer.id))
  expect(await moneyOf(t, buyer)).toEqual({ balance: '50.00', held: '0.00' })
  await expectAllRight(t)
})

test('OP-1: an advert that names the brand is a closed notice of it; once the order is paid for it is open', async () => {
  await using t = await startTestApp()
  const supplier = await addShared(t)
  const user = await t.makeUser({ balance: '20.00' })
  const id = await buy(t, user, 'wa')
  const advert = 'WhatsApp: chat with friends all over the world'
  await pushSms(t, supplier, { phone: PHONE, sender: 'INFO', text: advert })
  expect(await givenIn(t)).toEqual(['notice'])
  const closed = { sender: '', text: '', code: null, withheld: true, notice: true }
  expect(await read(t, user, id)).toMatchObject({ state: 'waiting', money: 'held', messages: [closed] })
  await pushSms(t, supplier, { phone: PHONE, ...WRITTEN.wa })
  expect(await moneyOf(t, user)).toMatchObject({ held: '0.00' })
  expect((await read(t, user, id)).messages.map(({ text }) => text)).toEqual([WRITTEN.wa.text, advert])
  await pushSms(t, supplier, { phone: PHONE, sender: 'INFO', text: 'WhatsApp: now with stickers' })
  expect(await givenIn(t)).toEqual(['notice', 'named', 'only-holder'])
  expect(await read(t, user, id)).toMatchObject({ state: 'received', code: CODES.wa })
  await expectAllRight(t)
})
