import { expect, test } from 'vitest'
import { DAY, HOUR, MINUTE, SECOND } from '#contract/time.ts'
import { balanceOf, begin, expectRightBooks, look } from '#test/builders/payments.ts'
import { openShop, passTime, paymentIn, startBehindProxy, tell } from '#test/fakes/yookassa/open-shop.ts'
import { openYookassaHouse } from '#test/fakes/yookassa/yookassa-house.ts'
import { call, refused } from '#test/harness/calls.ts'
import { typed, WHY } from '#test/harness/typed.ts'

const RECEIPT = { item: 'Пополнение', vat_code: 1, payment_subject: 'payment', payment_mode: 'full_payment' }

test('a card and an SBP payment: begun in one stage, credited once by what YooKassa answers, whatever is told and how often', async () => {
  await using t = await startBehindProxy()
  await using house = await openYookassaHouse(t.clock)
  const shop = await openShop(t, house)
  const { user } = shop
  const { systems } = await call(t, 'GET /api/payments', {}, { token: user.token })
  expect(systems).toMatchObject({
    'yoo-card': { form: 'redirect', mark: 'card', min: '1.00', max: '350000.00' },
    'yoo-sbp': { form: 'redirect', min: '1.00', max: '700000.00' },
  })
  const card = await begin(t, user, '500.00', 'yoo-card')
  const sbp = await begin(t, user, '1000.00', 'yoo-sbp')
  expect(card.redirect_url).toBe(paymentIn(shop).confirmation?.confirmation_url)
  expect(house.sent.map(({ body }) => body)).toMatchObject([
    {
      amount: { value: '500.00', currency: 'RUB' },
      capture: true,
      payment_method_data: { type: 'bank_card' },
      confirmation: { return_url: `${t.url}/top-up?payment=${card.transaction_id}`, locale: 'ru_RU' },
    },
    { capture: true, payment_method_data: { type: 'sbp' } },
  ])
  const pending = house.event('payment.succeeded', { ...paymentIn(shop), status: 'succeeded', paid: true })
  expect(await tell(shop, pending)).toBe(200)
  expect([await balanceOf(t, user), (await look(t, user, card.transaction_id)).state]).toEqual(['0.00', 'pending'])

  house.pay(paymentIn(shop).id)
  const paid = house.event('payment.succeeded', paymentIn(shop))
  const statuses = await Promise.all(Array.from({ length: 20 }, () => tell(shop, paid)))
  expect(new Set(statuses)).toEqual(new Set([200]))
  expect(await look(t, user, card.transaction_id)).toMatchObject({ state: 'paid', received: '500.00' })
  house.pay(paymentIn(shop, 1).id)
  await passTime(t, MINUTE)
  expect(await look(t, user, sbp.transaction_id)).toMatchObject({ state: 'paid', received: '1000.00' })
  const stale = { ...paymentIn(shop), status: 'waiting_for_capture', paid: true }
  for (const [name, object] of [
    ['payment.waiting_for_capture', stale],
    ['payment.succeeded', { ...stale, id: 'nobodys', metadata: {} }],
    ['payout.succeeded', { id: 'po-1', status: 'succeeded' }],
    ['payment_method.active', { id: 'pm-1', status: 'active', metadata: null }],
  ] as const) {
    expect(await tell(shop, house.event(name, object)), name).toBe(200)
  }
  expect(await balanceOf(t, user)).toBe('1500.00')
  expect(house.faults).toEqual([])
  await expectRightBooks(t)
})

test('notifications are heard from YooKassa’s addresses alone, IPv4 and IPv6, and must be whole', async () => {
  await using t = await startBehindProxy()
  await using house = await openYookassaHouse(t.clock)
  const shop = await openShop(t, house)
  const { transaction_id } = await begin(t, shop.user, '500.00', 'yoo-card')
  house.pay(paymentIn(shop).id)
  const paid = house.event('payment.succeeded', paymentIn(shop))
  for (const from of ['203.0.113.9', '185.71.76.32', '2a02:5181::1', '77.75.156.12', 'not-an-address']) {
    expect(await tell(shop, paid, from), from).toBe(403)
  }
  for (const body of [
    '',
    '<html>',
    paid.slice(0, -1),
    '{}',
    '[]',
    '{"type":"notification","event":"payment.succeeded"}',
  ]) {
    expect(await tell(shop, body), body).toBe(403)
  }
  expect(await look(t, shop.user, transaction_id)).toMatchObject({ state: 'pending' })
  const genuine = ['2a02:5180::7', '::ffff:77.75.156.11', '185.71.77.30']
  for (const from of genuine) expect(await tell(shop, paid, from), from).toBe(200)
  expect(await balanceOf(t, shop.user)).toBe('500.00')
})

test('an answer that is lost begins no second payment: 500 after the work, HTML, twelve at once, another e-mail and language', async () => {
  await using t = await startBehindProxy()
  await using house = await openYookassaHouse(t.clock)
  house.shop.needsReceipt = true
  const shop = await openShop(t, house, { receipt: { ...RECEIPT, tax_system_code: 2, measure: 'piece' } })
  const { user } = shop
  const options = { token: user.token, idempotencyKey: 'one-press-only' }
  const input = { system: 'yoo-card', amount: '500.00' }
  house.lostAnswers = 1
  expect(await refused(t, 'POST /api/v1/payments', input, { ...options, locale: 'ru' })).toMatchObject({
    status: 502,
    body: { code: 'GATEWAY_UNAVAILABLE' },
  })
  house.misbehave = (_request, reply) => {
    reply.writeHead(200, { 'content-type': 'text/html' }).end('<html>soon</html>')
    return true
  }
  await refused(t, 'POST /api/v1/payments', input, options)
  house.misbehave = null
  await passTime(t, 30 * SECOND)
  await t.ctx.db.query({ text: `UPDATE users SET email = 'other@example.test' WHERE id = $1`, values: [user.id] })
  const again = await Promise.all(
    Array.from({ length: 12 }, () => call(t, 'POST /api/v1/payments', input, { ...options, locale: 'en' })),
  )
  expect(new Set(again.map(({ data }) => data.redirect_url))).toEqual(
    new Set([paymentIn(shop).confirmation?.confirmation_url]),
  )
  expect(house.payments.size).toBe(1)
  expect(new Set(house.sent.map(({ body }) => JSON.stringify(body))).size).toBe(1)
  expect(house.sent[0]?.body).toMatchObject({
    receipt: {
      customer: { email: user.email },
      items: [{ amount: { value: '500.00' }, vat_code: 1 }],
      tax_system_code: 2,
    },
  })
  house.pay(paymentIn(shop).id)
  await tell(shop, house.event('payment.succeeded', paymentIn(shop)))
  expect(await balanceOf(t, user)).toBe('500.00')
  expect(house.faults).toEqual([])
  await expectRightBooks(t)
})

test('a payment whose creation was never answered is found in the list, among many, and credited', async () => {
  await using t = await startBehindProxy()
  await using house = await openYookassaHouse(t.clock)
  const shop = await openShop(t, house)
  const input = { system: 'yoo-card', amount: '500.00' }
  house.lostAnswers = 1
  await refused(t, 'POST /api/v1/payments', input, { token: shop.user.token })
  const ours = paymentIn(shop)
  for (let number = 0; number < 250; number += 1) {
    house.payments.set(`other-${number}`, { ...ours, id: `other-${number}`, metadata: { order: String(number) } })
  }
  await passTime(t, 3 * MINUTE)
  const { history } = await call(t, 'GET /api/payments-history', {}, { token: shop.user.token })
  expect(history.data).toMatchObject([{ state: 'failed', redirect_url: null }])
  house.pay(ours.id)
  await passTime(t, DAY)
  expect(await balanceOf(t, shop.user)).toBe('500.00')
  expect(house.sent).toHaveLength(1)
  const transaction = history.data[0]?.transaction_id ?? ''
  expect(await typed(t.database, 'payment:refund', transaction, '--amount', '100', ...WHY)).toMatchObject({ code: 0 })
  await t.runJobs()
  expect(house.refunds).toMatchObject([{ payment_id: ours.id, amount: { value: '100.00', currency: 'RUB' } }])
  await expectRightBooks(t)
})

test('a repeat after YooKassa has forgotten the key begins nothing', async () => {
  await using t = await startBehindProxy()
  await using house = await openYookassaHouse(t.clock)
  const shop = await openShop(t, house)
  const options = { token: shop.user.token, idempotencyKey: 'one-press-only' }
  const input = { system: 'yoo-card', amount: '500.00' }
  house.lostAnswers = 1
  await refused(t, 'POST /api/v1/payments', input, options)
  t.clock.advance(25 * HOUR)
  expect(await refused(t, 'POST /api/v1/payments', input, options)).toMatchObject({ status: 502 })
  expect([house.payments.size, house.sent.length]).toEqual([1, 1])
  await passTime(t, MINUTE)
  const { history } = await call(t, 'GET /api/payments-history', {}, { token: shop.user.token })
  expect(history.data).toMatchObject([{ state: 'failed' }])
  // The connection fails before YooKassa processes the request, so no payment exists there.
  house.misbehave = (request, reply) => {
    if (request.method === 'POST') reply.destroy()
    return request.method === 'POST'
  }
  await refused(t, 'POST /api/v1/payments', input, { ...options, idempotencyKey: 'another-press' })
  house.misbehave = null
  t.clock.advance(25 * HOUR)
  expect(
    await refused(t, 'POST /api/v1/payments', input, { ...options, idempotencyKey: 'another-press' }),
  ).toMatchObject({
    status: 502,
  })
  expect(house.payments.size).toBe(1)
})

test('an answer about another payment, sum, currency or shop credits nothing; a test payment never pays a real shop', async () => {
  await using t = await startBehindProxy()
  await using house = await openYookassaHouse(t.clock)
  const shop = await openShop(t, house)
  const { transaction_id } = await begin(t, shop.user, '500.00', 'yoo-card')
  const genuine = structuredClone(house.pay(paymentIn(shop).id))
  const lies = [
    { metadata: { transaction_id: 'another' } },
    { amount: { value: '500000.00', currency: 'RUB' } },
    { amount: { value: '-500.00', currency: 'RUB' } },
    { amount: { value: '0.00', currency: 'RUB' } },
    { amount: { value: '1e30', currency: 'RUB' } },
    { amount: { value: '500.00', currency: 'USD' } },
    { test: true },
    { paid: false },
    { status: 'done' },
  ]
  for (const [number, lie] of lies.entries()) {
    house.payments.set(genuine.id, Object.assign(structuredClone(genuine), lie))
    t.clock.advance(SECOND)
    await tell(shop, house.event(`payment.succeeded ${number}`, genuine))
    expect(await balanceOf(t, shop.user), JSON.stringify(lie)).toBe('0.00')
  }
  house.payments.set(genuine.id, genuine)
  await passTime(t, HOUR)
  expect(await look(t, shop.user, transaction_id)).toMatchObject({ state: 'paid', credited: '500.00' })
  house.shop.isTest = true
  const input = { system: 'yoo-card', amount: '20.00' }
  expect(await refused(t, 'POST /api/v1/payments', input, { token: shop.user.token })).toMatchObject({ status: 502 })
  await expectRightBooks(t)
})

test('a payment that nobody makes ends: by time, by the bank; a paid one after our own end is credited', async () => {
  await using t = await startBehindProxy()
  await using house = await openYookassaHouse(t.clock)
  const shop = await openShop(t, house, { systems: { card: { open_minutes: 30 } } })
  const { user } = shop
  const slow = await begin(t, user, '100.00', 'yoo-card')
  const declined = await begin(t, user, '200.00', 'yoo-card')
  const late = await begin(t, user, '300.00', 'yoo-card')
  Object.assign(paymentIn(shop, 2), { status: 'waiting_for_capture', paid: true })
  await tell(shop, house.event('payment.waiting_for_capture', paymentIn(shop, 2)))
  expect(await look(t, user, late.transaction_id)).toMatchObject({ state: 'confirming', credited: '0.00' })
  Object.assign(paymentIn(shop, 2), { status: 'pending', paid: false })
  house.cancel(paymentIn(shop, 1).id, 'insufficient_funds')
  await tell(shop, house.event('payment.canceled', paymentIn(shop, 1)))
  expect(await look(t, user, declined.transaction_id)).toMatchObject({ state: 'failed' })
  await passTime(t, 40 * MINUTE)
  expect(await look(t, user, late.transaction_id)).toMatchObject({ state: 'expired' })
  house.pay(paymentIn(shop, 2).id)
  await tell(shop, house.event('payment.succeeded', paymentIn(shop, 2)))
  expect(await look(t, user, late.transaction_id)).toMatchObject({ state: 'paid', credited: '300.00' })
  await passTime(t, 7 * HOUR)
  expect(await look(t, user, slow.transaction_id)).toMatchObject({ state: 'expired' })
  expect(paymentIn(shop).cancellation_details?.reason).toBe('expired_on_confirmation')
  await expectRightBooks(t)
})
