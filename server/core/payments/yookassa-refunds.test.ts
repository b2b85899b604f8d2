import { expect, test } from 'vitest'
import { z } from 'zod'
import { HOUR, SECOND } from '#contract/time.ts'
import { createYookassa } from '#server/adapters/yookassa/yookassa.ts'
import { balanceOf, begin, expectRightBooks, look } from '#test/builders/payments.ts'
import { openShop, passTime, paymentIn, startBehindProxy, tell } from '#test/fakes/yookassa/open-shop.ts'
import { openYookassaHouse, YOOKASSA_KEY, YOOKASSA_SHOP } from '#test/fakes/yookassa/yookassa-house.ts'
import { refused } from '#test/harness/calls.ts'
import { startTestApp, type TestApp } from '#test/harness/harness.ts'
import { typed, WHY } from '#test/harness/typed.ts'

const RECEIPT = { item: 'Пополнение', vat_code: 1, payment_subject: 'payment', payment_mode: 'full_payment' }

function reasonsIn({ log }: TestApp): string[] {
  const refusals = log.lines.filter(({ sentence }) => sentence.startsWith('a gateway refused'))
  return refusals.map(({ fields }) => z.object({ reason: z.string() }).parse(fields).reason)
}

test('what YooKassa refuses is told to staff without the key; a wrong key and too many calls are failures of the gateway', async () => {
  await using t = await startBehindProxy()
  await using house = await openYookassaHouse(t.clock)
  house.shop.needsReceipt = true
  const shop = await openShop(t, house)
  const input = { system: 'yoo-card', amount: '500.00' }
  const press = () => refused(t, 'POST /api/v1/payments', input, { token: shop.user.token })
  expect(await press()).toMatchObject({ status: 502, body: { code: 'GATEWAY_UNAVAILABLE' } })
  expect(reasonsIn(t)).toEqual(['invalid_request receipt Receipt is missing or illegal'])
  const failureOf = async () => (await typed(t.database, 'gateway:list')).out
  expect(await failureOf()).toContain('last success')
  const answers = [
    [401, '{"type":"error","id":"1","code":"invalid_credentials"}', '401 invalid_credentials'],
    [429, '{"type":"error","id":"1","code":"too_many_requests"}', '429 too_many_requests'],
    [400, '<html>', '400 and no object'],
    [302, '', '302 and no object'],
  ] as const
  for (const [status, body, words] of answers) {
    t.clock.advance(SECOND)
    house.misbehave = (_request, reply) => {
      reply.writeHead(status).end(body)
      return true
    }
    expect(await press()).toMatchObject({ status: 502 })
    expect(await failureOf()).toContain(`YooKassa answered ${words}`)
    await t.ctx.db.query({ text: `UPDATE payments SET state = 'failed'` })
  }
  expect(house.payments.size).toBe(0)
  expect(JSON.stringify(t.log.lines)).not.toContain(YOOKASSA_KEY)
  expect(reasonsIn(t)).toHaveLength(1)
})

test('a receipt goes to the payer’s e-mail, else to the one of the settings, else nothing is begun', async () => {
  await using t = await startBehindProxy()
  await using house = await openYookassaHouse(t.clock)
  house.shop.needsReceipt = true
  const shop = await openShop(t, house, { receipt: RECEIPT })
  const { user } = shop
  await begin(t, user, '10.50', 'yoo-sbp')
  await t.ctx.db.query({ text: 'UPDATE users SET email = NULL WHERE id = $1', values: [user.id] })
  const input = { system: 'yoo-sbp', amount: '20.00' }
  expect(await refused(t, 'POST /api/v1/payments', input, { token: user.token })).toMatchObject({ status: 502 })
  expect(reasonsIn(t)).toEqual(['YooKassa needs an e-mail for the receipt: set receipt.fallback_email'])
  expect(house.payments.size).toBe(1)
  const set = ['receipt.fallback_email=till@shop.test', 'receipt.item=Баланс']
  expect(await typed(t.database, 'gateway:set', 'yoo', ...set, ...WHY)).toMatchObject({ code: 0 })
  await t.addGateway({ code: 'gift', kind: 'vouchers' })
  await begin(t, user, '20.00', 'yoo-sbp')
  expect(house.sent.map(({ body }) => body.receipt)).toMatchObject([
    { customer: { email: user.email }, items: [{ description: 'Пополнение', amount: { value: '10.50' } }] },
    { customer: { email: 'till@shop.test' }, items: [{ description: 'Баланс', amount: { value: '20.00' } }] },
  ])
  expect(house.faults).toEqual([])
})

test('refunds: ours, pending, refused and repeated; those of the cabinet; each once, with a receipt of its sum', async () => {
  await using t = await startBehindProxy()
  await using house = await openYookassaHouse(t.clock)
  house.shop.needsReceipt = true
  const shop = await openShop(t, house, { receipt: RECEIPT })
  const { user } = shop
  const { transaction_id } = await begin(t, user, '500.00', 'yoo-card')
  const { id } = house.pay(paymentIn(shop).id)
  await tell(shop, house.event('payment.succeeded', paymentIn(shop)))
  const refund = (amount: string) => typed(t.database, 'payment:refund', transaction_id, '--amount', amount, ...WHY)
  const told = (object: object | undefined) => tell(shop, house.event('refund.succeeded', object ?? {}))

  await refund('50')
  // The reply is lost, and the job runs again after YooKassa has forgotten the idempotency key.
  house.lostAnswers = 1
  await t.runJobs()
  expect(house.refunds).toHaveLength(1)
  t.clock.advance(25 * HOUR)
  await t.ctx.db.query({ text: 'UPDATE graphile_worker._private_jobs SET run_at = now()' })
  await t.runJobs()
  expect(house.refunds).toHaveLength(1)
  expect(await look(t, user, transaction_id)).toMatchObject({ refunded: '50.00' })
  expect(house.sent.at(-1)?.body).toMatchObject({
    receipt: { customer: { email: user.email }, items: [{ amount: { value: '50.00', currency: 'RUB' } }] },
  })

  house.shop.refundsAs = 'pending'
  house.lostAnswers = 1
  await refund('30')
  await t.runJobs()
  await typed(t.database, 'payment:refund-cancel', transaction_id, ...WHY)
  await t.hurryJobs()
  expect(await balanceOf(t, user)).toBe('420.00')
  const slow = house.refunds[1]
  Object.assign(slow ?? {}, { status: 'canceled' })
  await passTime(t, 7 * HOUR)
  expect(await balanceOf(t, user)).toBe('450.00')
  house.shop.refundsAs = 'canceled'
  await refund('20')
  await t.runJobs()
  expect(await balanceOf(t, user)).toBe('450.00')
  expect(reasonsIn(t)).toEqual(['YooKassa: insufficient_funds'])

  // A pending refund made in YooKassa's dashboard has moved no money yet.
  const byHand = house.refundInCabinet(id, '100.00', 'pending')
  await told(byHand)
  expect(await balanceOf(t, user)).toBe('450.00')
  byHand.status = 'succeeded'
  await Promise.all(Array.from({ length: 20 }, () => told(byHand)))
  expect(await balanceOf(t, user)).toBe('350.00')
  expect(await look(t, user, transaction_id)).toMatchObject({ state: 'paid', refunded: '150.00' })
  expect(house.faults).toEqual([])
  await expectRightBooks(t)
})

test('a refund that is told of before its payment leaves nothing, and the payment counts as refunded', async () => {
  await using t = await startBehindProxy()
  await using house = await openYookassaHouse(t.clock)
  const shop = await openShop(t, house)
  const { transaction_id } = await begin(t, shop.user, '500.00', 'yoo-sbp')
  const { id } = house.pay(paymentIn(shop).id)
  const paid = house.event('payment.succeeded', paymentIn(shop))
  const back = house.refundInCabinet(id, '500.00')
  expect(await tell(shop, house.event('refund.succeeded', back))).toBe(200)
  expect(await tell(shop, paid)).toBe(200)
  expect(await look(t, shop.user, transaction_id)).toMatchObject({
    state: 'refunded',
    received: '500.00',
    refunded: '500.00',
    credited: '0.00',
  })
  expect(await typed(t.database, 'payment:refund', transaction_id, ...WHY)).toMatchObject({
    code: 1,
    err: expect.stringContaining('has gone back'),
  })
  await expectRightBooks(t)
})

test('settings are checked without a call, and their faults never repeat a key', async () => {
  await using t = await startTestApp()
  const { ctx } = t
  const make = (settings: Record<string, unknown>) => () =>
    createYookassa(ctx, { id: 1, code: 'yoo', kind: 'yookassa', settings })
  const good = { shop_id: YOOKASSA_SHOP, secret_key: YOOKASSA_KEY }
  expect(make(good)().systems.map(({ key, isCard, limits }) => [key, isCard, Object.keys(limits)])).toEqual([
    ['yoo-card', true, ['rub']],
    ['yoo-sbp', false, ['rub']],
  ])
  expect(make({ ...good, methods: ['sbp'] })().systems.map(({ key }) => key)).toEqual(['yoo-sbp'])
  expect(make({ ...good, secret_key: 'short' })).toThrow('secret_key: is the secret key')
  expect(make({ ...good, secret_key: 'hush hush key' })).not.toThrow(/hush/)
  expect(make({ ...good, secret_key: 'test_abcDEF-123456' })).toThrow('test: does not fit the secret key')
  expect(make({ ...good, test: true })).toThrow('test: does not fit the secret key')
  expect(make({ ...good, webhook_addresses: ['yookassa.ru'] })).toThrow('webhook_addresses: are addresses')
  expect(make({ ...good, api_url: 'http://yookassa.example/v3' })).toThrow('on this machine alone')
  expect(make({ ...good, receipt: { ...RECEIPT, vat_code: 13 } })).toThrow('receipt.vat_code')
  expect(make({ ...good, systems: { main: {} } })).toThrow('there is no main, only card, sbp')
})
