import { inspect } from 'node:util'
import { expect, test } from 'vitest'
import { MINUTE, SECOND } from '#contract/time.ts'
import { readRows } from '#server/core/privacy/export/row-queries.ts'
import { NUMBER_SECTIONS } from '#server/core/privacy/sections/numbers.ts'
import { transaction } from '#server/house/db/transaction.ts'
import { buyOne, expectBooksRight, moneyOf, pushSms, transfersOf } from '#test/builders/activation-rows.ts'
import { fakeOffer } from '#test/fakes/fake-supplier.ts'
import { call } from '#test/harness/calls.ts'
import { startTestApp, type TestApp, type TestUser } from '#test/harness/harness.ts'
import { listen } from '#test/harness/live-listener.ts'
import { receiveSms } from './receive-sms.ts'
import { verifyDelivery } from './verify-delivery.ts'

const read = async (t: TestApp, user: TestUser, id: number) =>
  (await call(t, 'GET /api/v1/activations/{id}', { id }, user)).data
const open = (t: TestApp, user: TestUser, id: number) =>
  t.fetch(`/api/v1/activations/${id}/open`, { method: 'POST', token: user.token })
const NOTICE = 'New sign-in to Telegram from Chrome on Windows'
const CLOSED = { sender: '', text: '', code: null, withheld: true, notice: true }

async function expectAllRight(t: TestApp): Promise<void> {
  await expectBooksRight(t.ctx)
  expect((await verifyDelivery(t.ctx.db)).checks.flatMap(({ problems }) => problems)).toEqual([])
}

test('B1: what nobody can read ends no wait and costs nothing, whatever was bought, and is kept for staff', async () => {
  await using t = await startTestApp()
  const supplier = await t.addFake('two', [fakeOffer, { ...fakeOffer, serviceCode: 'ot' }])
  const buyer = await t.makeUser({ balance: '100.00' })
  for (const service_id of ['tg', 'ot']) {
    const { id, phone } = (await call(t, 'POST /api/v1/activations', { service_id, country_id: 2 }, buyer)).data
    const push = (text: string, more = {}) =>
      receiveSms(t.ctx, {
        supplierId: supplier.id,
        messageId: null,
        phone: phone ?? '',
        sender: 'Telegram',
        text,
        ...more,
      })
    for (const text of ['', '  \n', '\u200b\u200e', '…—!', '\u{1F44B}']) await push(text)
    await push('003115', { notText: 'sim-data' })
    await push('0106060301ae', { notText: 'wap-push' })
    expect(await read(t, buyer, id)).toMatchObject({ state: 'waiting', money: 'held', code: null, messages: [] })
  }
  const { rows } = await t.ctx.db.query<{ given: string }>({ text: 'SELECT DISTINCT given FROM messages' })
  expect(rows).toEqual([{ given: 'junk' }])
  await expectAllRight(t)
})

test('a notice is told without its words, costs nothing until it is opened, and is open then', async () => {
  await using t = await startTestApp()
  const supplier = await t.addFake()
  const buyer = await t.makeUser({ balance: '20.00' })
  const { id, phone } = await buyOne(t, buyer)
  expect(await (await open(t, buyer, id)).json()).toMatchObject({ code: 'NO_NOTICE' })
  using live = await listen(t, buyer)
  await pushSms(t, supplier, { phone, text: NOTICE })
  expect((await live.next('ActivationChanged')).record).toMatchObject({ state: 'waiting', messages: [CLOSED] })
  expect(await read(t, buyer, id)).toMatchObject({ state: 'waiting', money: 'held', messages: [CLOSED] })
  const key = await t.makeApiKey(buyer)
  const asked = async (path: string) => (await t.fetch(path, { token: buyer.token })).text()
  const field = (action: string) => `/stubs/handler_api.php?api_key=${key}&action=${action}&id=${id}`
  const told = [
    ...['getStatus', 'getStatusV2', 'getFullSms', 'getActiveActivations', 'getAllSms', 'getCurrentActivations'].map(
      field,
    ),
    '/api/v1/history',
    '/api/v1/history.csv',
    '/api/user/active-numbers',
    `/v1/user/check/${id}`,
  ]
  for (const path of told) expect(await asked(path), path).not.toMatch(/Chrome|STATUS_OK|FULL_SMS/)
  const section = NUMBER_SECTIONS.find(({ table }) => table === 'messages')
  if (section === undefined) throw new Error('no section of messages')
  const mine = await transaction(t.ctx.db, async (tx) => readRows(tx, section, buyer.id).next())
  expect(inspect(mine, { depth: 9 })).not.toContain('Chrome')
  expect((await open(t, await t.makeUser(), id)).status).toBe(404)

  const opened = await (await open(t, buyer, id)).json()
  const shown = { text: NOTICE, notice: true }
  expect(opened.data).toMatchObject({ state: 'received', money: 'captured', code: null, messages: [shown] })
  expect(opened.data.messages[0].withheld).toBeUndefined()
  expect((await open(t, buyer, id)).status).toBe(200)
  expect(await transfersOf(t.ctx, id)).toEqual(['hold', 'capture'])
  expect(await asked(field('getStatus'))).toBe(`STATUS_OK:${NOTICE}`)
  await pushSms(t, supplier, { phone })
  expect(await read(t, buyer, id)).toMatchObject({ code: '48213', messages: [{ code: '48213' }, { text: NOTICE }] })
  await expectAllRight(t)
})

test('full_text=1 opens a notice for a key that may buy, and for no other', async () => {
  await using t = await startTestApp()
  const supplier = await t.addFake()
  const buyer = await t.makeUser({ balance: '20.00' })
  const { id, phone } = await buyOne(t, buyer)
  await pushSms(t, supplier, { phone, text: NOTICE })
  const { secret } = await call(t, 'POST /api/v1/keys', { name: 'reader', scopes: ['read'] }, buyer)
  const status = async (key: string) =>
    (await t.fetch(`/stubs/handler_api.php?api_key=${key}&action=getStatus&full_text=1&id=${id}`)).text()
  expect(await status(secret)).toBe('STATUS_WAIT_CODE')
  expect(await moneyOf(t, buyer)).toMatchObject({ held: '13.00' })
  expect(await status(await t.makeApiKey(buyer))).toBe(`STATUS_OK:${NOTICE}`)
  expect(await moneyOf(t, buyer)).toEqual({ balance: '7.00', held: '0.00' })
  await expectAllRight(t)
})

test('opening, cancelling and a code at once have one outcome, and the money fits it', async () => {
  await using t = await startTestApp()
  const supplier = await t.addFake()
  const buyer = await t.makeUser({ balance: '200.00' })
  for (let round = 0; round < 6; round += 1) {
    const { id, phone } = await buyOne(t, buyer)
    await pushSms(t, supplier, { phone, text: NOTICE })
    t.clock.advance(2 * MINUTE)
    const cancel = () => t.fetch(`/api/v1/activations/${id}/cancel`, { method: 'POST', token: buyer.token })
    const acts = [() => open(t, buyer, id), cancel, () => pushSms(t, supplier, { phone }), () => open(t, buyer, id)]
    await Promise.all(acts.slice(round % 2, round % 3 === 0 ? 4 : 3).map((act) => act()))
    const { state, money, messages } = await read(t, buyer, id)
    if (state === 'cancelled') {
      expect([money, messages.every(({ withheld }) => withheld === true)]).toEqual(['released', true])
      expect((await open(t, buyer, id)).status).toBe(409)
    } else expect([state, money]).toEqual(['received', 'captured'])
  }
  await expectAllRight(t)
})

test('what was paid to read a notice does not come back by "not my code", also after a code', async () => {
  await using t = await startTestApp()
  const supplier = await t.addFake()
  const buyer = await t.makeUser({ balance: '20.00' })
  const { id, phone } = await buyOne(t, buyer)
  await pushSms(t, supplier, { phone, text: NOTICE })
  await open(t, buyer, id)
  const report = () => t.fetch(`/api/v1/activations/${id}/not-my-code`, { method: 'POST', token: buyer.token })
  expect(await (await report()).json()).toMatchObject({ code: 'NO_CODE_YET' })
  await pushSms(t, supplier, { phone })
  expect(await (await report()).json()).toMatchObject({ code: 'NO_CODE_YET' })
  expect(await transfersOf(t.ctx, id)).toEqual(['hold', 'capture'])
  await expectAllRight(t)
})

test('a code brings the words of the notices before it to the open page, as a reload would', async () => {
  await using t = await startTestApp()
  const supplier = await t.addFake()
  const buyer = await t.makeUser({ balance: '20.00' })
  const { id, phone } = await buyOne(t, buyer)
  await pushSms(t, supplier, { phone, text: NOTICE })
  using live = await listen(t, buyer)
  await pushSms(t, supplier, { phone })
  const { messages } = (await live.next('NewCode')).record
  expect(messages).toMatchObject([{ code: '48213' }, { text: NOTICE }])
  expect(messages).toEqual((await read(t, buyer, id)).messages)
  expect(messages.map(({ notice }) => notice)).toEqual([undefined, undefined])
})

test('an order that ends with closed notices gives its money back, and they stay closed', async () => {
  await using t = await startTestApp()
  const supplier = await t.addFake()
  const buyer = await t.makeUser({ balance: '20.00' })
  const { id, phone } = await buyOne(t, buyer)
  await pushSms(t, supplier, { phone, text: NOTICE })
  t.clock.advance(2 * MINUTE)
  await call(t, 'POST /api/v1/activations/{id}/cancel', { id }, buyer)
  expect(await read(t, buyer, id)).toMatchObject({ state: 'cancelled', money: 'released', messages: [CLOSED] })
  expect(await moneyOf(t, buyer)).toEqual({ balance: '20.00', held: '0.00' })
  await expectAllRight(t)
})

test('OP-1: a standing code yields to its own service from any number, and to nobody else’s', async () => {
  await using t = await startTestApp()
  const supplier = await t.addFake('two', [fakeOffer, { ...fakeOffer, serviceCode: 'ot' }])
  const buyer = await t.makeUser({ balance: '100.00' })
  const { id, phone } = await buyOne(t, buyer)
  const codeAfter = async (sender: string, text: string, [order, to] = [id, phone]) => {
    await pushSms(t, supplier, { phone: to, sender, text })
    return (await read(t, buyer, order)).code
  }
  expect(await codeAfter('+447900000001', 'Telegram code: 11111')).toBe('11111')
  expect(await codeAfter('+447900000002', 'Telegram code: 22222')).toBe('22222')
  expect(await codeAfter('AD7', 'Win 18915 today, call now')).toBe('22222')
  expect(await codeAfter('+447900000003', 'Your code is 33333')).toBe('22222')
  const other = (await call(t, 'POST /api/v1/activations', { service_id: 'ot', country_id: 2 }, buyer)).data
  const at: [number, string] = [other.id, other.phone ?? '']
  expect(await codeAfter('Acme', 'Your code is 44444', at)).toBe('44444')
  expect(await codeAfter('Zenith', 'Your code is 55555', at)).toBe('44444')
  expect(await codeAfter('Acme', 'Your code is 66666', at)).toBe('66666')
  await expectAllRight(t)
})

test('OP-1: of more than ten messages a minute those without a code are folded into a line, and codes never', async () => {
  await using t = await startTestApp()
  const supplier = await t.addFake()
  const buyer = await t.makeUser({ balance: '20.00' })
  const { id, phone } = await buyOne(t, buyer)
  await pushSms(t, supplier, { phone })
  for (let sent = 1; sent <= 14; sent += 1) {
    await pushSms(t, supplier, { phone, text: `Telegram: sticker pack ${'x'.repeat(sent)}` })
    t.clock.advance(SECOND)
  }
  await pushSms(t, supplier, { phone, text: 'Telegram code: 55555' })
  const offer = 'Tap to sign in to Telegram: https://t.me/login/x2f'
  await pushSms(t, supplier, { phone, text: offer })
  const record = await read(t, buyer, id)
  expect(record).toMatchObject({ code: '55555', folded: 4 })
  expect(record.messages).toHaveLength(13)
  expect(record.messages[0]?.text).toBe(offer)
  t.clock.advance(MINUTE)
  await pushSms(t, supplier, { phone, text: 'Telegram: welcome' })
  expect((await read(t, buyer, id)).messages).toHaveLength(14)
  await expectAllRight(t)
})

test('F-1: between two accounts a hint, a plain word and a payment decide nothing', async () => {
  await using t = await startTestApp()
  const supplier = await t.addFake('two', [fakeOffer, { ...fakeOffer, serviceCode: 'go' }])
  const [anna, boris] = [await t.makeUser({ balance: '20.00' }), await t.makeUser({ balance: '20.00' })]
  const { phone } = await buyOne(t, anna)
  supplier.onBuy = async (order) => ({ ...supplier.sell(order), phone })
  await call(t, 'POST /api/v1/activations', { service_id: 'go', country_id: 2 }, boris)
  for (const [sender, text] of [
    ['INFO', 'Ваш код 1234. Мы в Telegram: t.me/shop'],
    ['SHOP', 'Код 1234. Скачайте приложение в Google Play'],
    ['GOSUSLUGI', 'Код 1234 для входа на Госуслуги. Не передавайте его в Telegram'],
    ['900', 'Покупка 199р GOOGLE PLAY. Код подтверждения: 1234. Никому его не сообщайте'],
    ['T-Bank', 'Никому не говорите код 1234! Оплата 99.00р. GOOGLE YOUTUBE'],
    ['INFO', 'Код: 1234. Вход через Telegram: t.me/shop_bot?start=1234'],
    ['INFO', 'Sign in with Google code: 123456'],
  ] as const) {
    await pushSms(t, supplier, { phone, sender, text })
  }
  const { rows } = await t.ctx.db.query({ text: `SELECT body, given FROM messages WHERE given <> 'unmatched'` })
  expect(rows).toEqual([])
  expect(await moneyOf(t, anna)).toMatchObject({ held: '13.00' })
  expect(await moneyOf(t, boris)).toMatchObject({ held: '13.00' })
  await expectAllRight(t)
})
