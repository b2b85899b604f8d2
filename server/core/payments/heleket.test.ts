import { expect, test } from 'vitest'
import { MINUTE, SECOND } from '#contract/time.ts'
import { become, openHeleketShop, tell } from '#test/builders/money/heleket.ts'
import { setBitcoin } from '#test/builders/money/rates.ts'
import { balanceOf, begin, expectRightBooks } from '#test/builders/payments.ts'
import { type HouseInvoice, openHeleketHouse } from '#test/fakes/heleket-house.ts'
import { call, refused } from '#test/harness/calls.ts'
import { startTestApp } from '#test/harness/harness.ts'
import { typed, WHY } from '#test/harness/typed.ts'
import { reconcilePayments } from './reconcile.ts'

test('an invoice is begun once, asked about no faster than every 30 seconds, and credited once, whatever is repeated', async () => {
  await using t = await startTestApp()
  await using house = await openHeleketHouse(t.clock)
  const user = await openHeleketShop(t, house, { accuracy_percent: 3 })
  const payment = await begin(t, user, '20.00', 'coins')
  const order = payment.transaction_id
  const { uuid, url } = house.one(order)
  expect(payment).toMatchObject({ state: 'pending', form: 'redirect', redirect_url: url, currency: 'usd' })
  expect(house.orders).toMatchObject([
    {
      amount: '20.00',
      currency: 'USD',
      order_id: order,
      lifetime: 3600,
      is_payment_multiple: true,
      accuracy_payment_percent: 3,
      url_return: `${t.url}/top-up?payment=${order}`,
      url_callback: new URL('/gateways/coins/events', t.ctx.config.publicUrl).href,
    },
  ])
  for (let second = 0; second < 120; second += 5) {
    t.clock.advance(5 * SECOND)
    await reconcilePayments(t.ctx)
  }
  const gaps = house.askedAt.slice(1).map((at, place) => at.getTime() - (house.askedAt[place]?.getTime() ?? 0))
  expect(house.askedAt.length).toBeGreaterThan(1)
  expect(Math.min(...gaps, (house.askedAt[0]?.getTime() ?? 0) - Date.parse(payment.created_at))).toBeGreaterThanOrEqual(
    30 * SECOND,
  )
  const seen = { house, order, user }
  expect(await become(t, seen, ['confirm_check', { txid: 'tx-1' }])).toEqual(['confirming', '0.00'])
  const early = house.event(order)
  expect(await become(t, seen, ['paid', { txid: 'tx-1', payment_amount: '19.90' }])).toEqual(['paid', '20.00'])
  const paid = house.event(order)
  expect([await tell(t, early), await tell(t, paid, '/gateways/coins/webhook'), await tell(t, paid)]).toEqual([
    200, 200, 200,
  ])
  await Promise.all(
    Array.from({ length: 20 }, (_, place) => tell(t, house.event(order, { txid: `tx-1`, payment_amount: `${place}` }))),
  )
  expect(await balanceOf(t, user)).toBe('20.00')
  const { rows } = await t.ctx.db.query<{ provider_id: string }>({ text: 'SELECT provider_id FROM deposits' })
  expect(rows).toEqual([{ provider_id: `${uuid}:20000000` }])
  expect(house.faults).toEqual([])
  await expectRightBooks(t)
})

test.each(['answered', 'refused'] as const)(
  'a creation whose answer is lost is repeated; a repeated order is %s, and one invoice is there',
  async (repeated) => {
    await using t = await startTestApp()
    await using house = await openHeleketHouse(t.clock)
    const user = await openHeleketShop(t, house)
    house.repeated = repeated
    const options = { token: user.token, idempotencyKey: 'one-press-only' }
    const input = { system: 'coins', amount: '20.00' }
    const fail = () => refused(t, 'POST /api/v1/payments', input, options)
    house.misbehave = (_request, reply) => {
      reply.writeHead(502, { 'content-type': 'text/html' }).end('<html>bad gateway</html>')
      return true
    }
    expect(await fail()).toMatchObject({ status: 502 })
    house.misbehave = (_request, reply) => {
      reply.socket?.destroy()
      return false
    }
    expect(await fail()).toMatchObject({ status: 502 })
    house.misbehave = null
    t.clock.advance(MINUTE)
    await reconcilePayments(t.ctx)
    const { data } = await call(t, 'POST /api/v1/payments', input, options)
    expect(house.invoices.size).toBe(1)
    expect(data).toMatchObject({ state: 'pending', redirect_url: house.one(data.transaction_id).url })
    expect(house.faults).toEqual([])
  },
)

test('money for an invoice that nobody was known to be led to is credited; one that was never made fails', async () => {
  await using t = await startTestApp()
  await using house = await openHeleketHouse(t.clock)
  const user = await openHeleketShop(t, house)
  const ask = (idempotencyKey: string) =>
    refused(t, 'POST /api/v1/payments', { system: 'coins', amount: '20.00' }, { token: user.token, idempotencyKey })
  house.misbehave = (_request, reply) => {
    reply.socket?.destroy()
    return false
  }
  await ask('the-first-press')
  house.misbehave = (_request, reply) => {
    reply.destroy()
    return true
  }
  await ask('the-second-press')
  house.misbehave = null
  const [order = ''] = house.invoices.keys()
  expect(await become(t, { house, order, user }, ['paid', { payment_amount: '20.00' }])).toEqual(['paid', '20.00'])
  t.clock.advance(3 * MINUTE)
  await reconcilePayments(t.ctx)
  const { history } = await call(t, 'GET /api/payments-history', {}, { token: user.token })
  expect(history.data.map(({ state }) => state).toSorted()).toEqual(['failed', 'paid'])
})

test('less, topped up, more, again, locked, late: each is credited as far as it has come', async () => {
  await using t = await startTestApp()
  await using house = await openHeleketHouse(t.clock)
  const user = await openHeleketShop(t, house)
  house.due = { asset: 'BTC', amount: '0.00032000' }
  await setBitcoin(t, 62_500n)
  const open = async () => ({ house, user, order: (await begin(t, user, '20.00', 'coins')).transaction_id })
  const topped = await open()
  const part = { payment_amount: '0.00012000', txid: 'tx-a' }
  expect(await become(t, topped, ['wrong_amount_waiting', part])).toEqual(['confirming', '0.00'])
  expect(await become(t, topped, ['paid', { payment_amount: '0.00032000', txid: 'tx-b' }])).toEqual(['paid', '20.00'])
  const more = { payment_amount: '0.00048000', txid: 'tx-c' }
  expect(await become(t, topped, ['paid_over', more])).toEqual(['paid', '30.00'])
  expect(await become(t, topped, ['paid_over', more])).toEqual(['paid', '30.00'])

  const less = await open()
  expect(await become(t, less, ['wrong_amount', { payment_amount: '0.00010001' }])).toEqual(['partial', '6.25'])
  expect(await become(t, less, ['paid', { payment_amount: '0.00032000', txid: 'tx-d' }])).toEqual(['paid', '20.00'])

  const locked = await open()
  expect(await become(t, locked, ['locked', { payment_amount: '0.00032000' }])).toEqual(['confirming', '0.00'])
  expect(await become(t, locked, ['paid', { payment_amount: '0.00032000' }])).toEqual(['paid', '20.00'])

  const late = await open()
  expect(await become(t, late, ['cancel', { payment_amount: '0.00' }])).toEqual(['expired', '0.00'])
  expect(await become(t, late, ['cancel', { payment_amount: '1.6E-4', txid: 'tx-e' }])).toEqual(['partial', '10.00'])
  expect(await become(t, late, ['paid', { payment_amount: '0.00032' }])).toEqual(['paid', '20.00'])

  const failed = await open()
  expect(await become(t, failed, ['process'])).toEqual(['confirming', '0.00'])
  expect(await become(t, failed, ['fail', { payment_amount: '0.00032' }])).toEqual(['failed', '0.00'])
  expect(await become(t, failed, ['system_fail'])).toEqual(['failed', '0.00'])
  expect(await balanceOf(t, user)).toBe('90.00')
  expect(house.faults).toEqual([])
  await expectRightBooks(t)
})

test('what cannot be is not credited: another invoice, currency or amount, a new status, far too much, no amount', async () => {
  await using t = await startTestApp()
  await using house = await openHeleketHouse(t.clock)
  const user = await openHeleketShop(t, house)
  const order = (await begin(t, user, '20.00', 'coins')).transaction_id
  const seen = { house, user, order }
  const { uuid, amount, currency } = house.one(order)
  const paid = { payment_amount: '20.00' }
  const untrue: [string, Partial<HouseInvoice>?][] = [
    ['paid', { ...paid, uuid: 'another' }],
    ['paid', { ...paid, uuid, currency: 'EUR' }],
    ['paid', { ...paid, currency, amount: '2.00' }],
    ['paid', { ...paid, amount: '20.00000001' }],
    ['paid_by_wish', { ...paid, amount }],
    ['paid_over', { payment_amount: '20000.00' }],
    ['wrong_amount', { payment_amount: '20.00' }],
    ['wrong_amount', { payment_amount: null }],
    ['refund_paid', { payment_amount: null }],
    ['paid', { payment_amount: 'much' }],
  ]
  for (const one of untrue) expect(await become(t, seen, one)).toEqual(['pending', '0.00'])
  expect(await become(t, seen, ['paid_over', { payment_amount: '-5', txid: 'tx' }])).toEqual(['paid', '20.00'])
  await expectRightBooks(t)
})

test('refunds made in the cabinet are taken as reversals; one that failed comes back; one noted by hand is not taken twice', async () => {
  await using t = await startTestApp()
  await using house = await openHeleketHouse(t.clock)
  const user = await openHeleketShop(t, house, { accuracy_percent: 5 })
  const open = async () => {
    const seen = { house, user, order: (await begin(t, user, '20.00', 'coins')).transaction_id }
    expect(await become(t, seen, ['paid', { payment_amount: '19.50' }])).toEqual(['paid', '20.00'])
    return seen
  }
  const first = await open()
  const after = { payment_amount: '19.50' }
  expect(await become(t, first, ['refund_process', after])).toEqual(['refunded', '20.00'])
  expect(await become(t, first, ['refund_fail', after])).toEqual(['paid', '20.00'])
  expect(await balanceOf(t, user)).toBe('20.00')
  const again = (status: string) => {
    t.clock.advance(SECOND)
    return become(t, first, [status, after])
  }
  expect(await again('refund_process')).toEqual(['refunded', '20.00'])
  expect(await balanceOf(t, user)).toBe('0.00')
  expect(await again('refund_fail')).toEqual(['paid', '20.00'])
  expect(await typed(t.database, 'payment:refund', first.order, ...WHY)).toMatchObject({ code: 0 })
  expect(await again('refund_fail')).toEqual(['refunded', '20.00'])
  expect(await again('refund_process')).toEqual(['refunded', '20.00'])
  expect(await balanceOf(t, user)).toBe('0.00')
  expect(await again('refund_fail')).toEqual(['paid', '20.00'])
  expect(await again('refund_paid')).toEqual(['refunded', '20.00'])
  expect(await again('refund_paid')).toEqual(['refunded', '20.00'])
  expect(await balanceOf(t, user)).toBe('0.00')
  await expectRightBooks(t)
  await open()
  const second = await open()
  expect(await typed(t.database, 'payment:refund', second.order, ...WHY)).toMatchObject({ code: 0 })
  expect(await balanceOf(t, user)).toBe('20.00')
  expect(await become(t, second, ['refund_process', after])).toEqual(['refunded', '20.00'])
  expect(await become(t, second, ['refund_paid', after])).toEqual(['refunded', '20.00'])
  expect(await balanceOf(t, user)).toBe('20.00')
  await expectRightBooks(t)
})

test('a coin and network of our own choice are paid on our page; without an address the payment is refused', async () => {
  await using t = await startTestApp()
  await using house = await openHeleketHouse(t.clock)
  const asset = { currency: 'USDT', network: 'tron', network_name: 'TRON (TRC-20)' }
  const user = await openHeleketShop(t, house, { page: false, assets: [asset] })
  house.due = { asset: 'USDT', amount: '20.04000000' }
  const shown = {
    form: 'transfer',
    address: 'TDD97yguPESTpcrJMqU6h2ozZbibv4Vaqm',
    amount: '20.04',
    asset: 'USDT',
    network: 'TRON (TRC-20)',
    redirect_url: null,
    qrCode: expect.stringContaining('<svg'),
  }
  expect(await begin(t, user, '20.00', 'coins-usdt-tron')).toMatchObject(shown)
  expect(house.orders).toMatchObject([{ to_currency: 'USDT', network: 'tron' }])
  house.addressing = 'later'
  expect(await begin(t, user, '20.00', 'coins-usdt-tron')).toMatchObject(shown)
  house.addressing = 'never'
  const input = { system: 'coins-usdt-tron', amount: '20.00' }
  expect(await refused(t, 'POST /api/v1/payments', input, { token: user.token })).toMatchObject({
    body: { code: 'GATEWAY_UNAVAILABLE' },
  })
})
