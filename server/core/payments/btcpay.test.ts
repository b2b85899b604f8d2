import { expect, test } from 'vitest'
import { DAY, HOUR, MINUTE } from '#contract/time.ts'
import { becomeInvoice as become, openBtcpayShop, settled, tellBtcpay } from '#test/builders/money/btcpay.ts'
import { balanceOf, begin, expectRightBooks, look } from '#test/builders/payments.ts'
import { openBtcpayHouse } from '#test/fakes/btcpay-house.ts'
import { call, refused } from '#test/harness/calls.ts'
import { startTestApp } from '#test/harness/harness.ts'
import { typed, WHY } from '#test/harness/typed.ts'
import { reconcilePayments } from './reconcile.ts'

test('bitcoin: an address with its amount, seen, then settled to the cent, whatever is sent again', async () => {
  await using t = await startTestApp()
  await using house = await openBtcpayHouse(t.clock)
  const user = await openBtcpayShop(t, house)
  const payment = await begin(t, user, '20.00', 'coin-btc')
  const order = payment.transaction_id
  expect(payment).toMatchObject({
    state: 'pending',
    form: 'transfer',
    address: expect.stringMatching(/^bc1q/),
    asset: 'BTC',
    amount: '0.0003106',
    network: 'Bitcoin',
    qrCode: expect.stringContaining('<svg'),
  })
  expect(house.orders).toMatchObject([
    {
      amount: '20.00',
      currency: 'USD',
      metadata: { orderId: order },
      checkout: { paymentMethods: ['BTC-CHAIN'], speedPolicy: 'MediumSpeed', expirationMinutes: 30 },
    },
  ])
  const seen = { house, order, user }
  const coming = { id: 'tx-0', value: '0.00031060', status: 'Processing' } as const
  expect(await become(t, seen, ['New'])).toEqual(['pending', '0.00'])
  expect(await become(t, seen, ['Processing', { payments: [coming] }])).toEqual(['confirming', '0.00'])
  expect(await look(t, user, order)).toMatchObject({ confirmations: null })
  const payments = [settled('tx-0', '0.00031060')]
  expect(await become(t, seen, ['Settled', { payments }])).toEqual(['paid', '20.00'])
  const { id: invoiceId, metadata } = house.of(order)
  const again = house.event('InvoiceSettled', { invoiceId, metadata, originalDeliveryId: 'delivery-3' })
  const events = Array.from({ length: 20 }, () => house.event('InvoicePaymentSettled', { invoiceId, metadata }))
  const statuses = await Promise.all([again, ...events].map((event) => tellBtcpay(t, event)))
  expect(new Set(statuses)).toEqual(new Set([200]))
  expect(await balanceOf(t, user)).toBe('20.00')
  const { rows } = await t.ctx.db.query<{ provider_id: string }>({ text: 'SELECT provider_id FROM deposits' })
  expect(rows).toEqual([{ provider_id: `${invoiceId}/tx-0` }])
  expect(house.faults).toEqual([])
  await expectRightBooks(t)
})

test('lightning: an invoice of its own, in thousandths of a satoshi, paid at once; found without a webhook', async () => {
  await using t = await startTestApp()
  await using house = await openBtcpayHouse(t.clock)
  const user = await openBtcpayShop(t, house)
  const { transaction_id: order, ...payment } = await begin(t, user, '20.00', 'coin-ln')
  expect(payment).toMatchObject({
    form: 'transfer',
    address: expect.stringMatching(/^lnbc/),
    amount: '0.00031059649',
    network: 'Lightning',
    asset: 'BTC',
  })
  house.set(order, 'Settled', { payments: [settled('hash', '0.00031059649')] })
  t.clock.advance(MINUTE)
  await reconcilePayments(t.ctx)
  expect(await look(t, user, order)).toMatchObject({ state: 'paid', received: '20.00' })
  expect(house.orders).toMatchObject([{ checkout: { paymentMethods: ['BTC-LN'], expirationMinutes: 15 } }])
  await expectRightBooks(t)
})

test('twelve presses at once, a lost answer and one that came late make no invoice whose money is lost', async () => {
  await using t = await startTestApp()
  await using house = await openBtcpayHouse(t.clock)
  const user = await openBtcpayShop(t, house)
  const input = { system: 'coin-btc', amount: '20.00' }
  const press = (idempotencyKey: string) => ({ token: user.token, idempotencyKey })
  const replies = await Promise.all(
    Array.from({ length: 12 }, () => call(t, 'POST /api/v1/payments', input, press('twelve-presses'))),
  )
  expect(new Set(replies.map(({ data }) => data.address)).size).toBe(1)
  expect(house.invoices).toHaveLength(1)

  // Each of the twelve requests may have counted against the user's limit of fifteen, so the clock moves an hour.
  t.clock.advance(HOUR)
  const lost = () => refused(t, 'POST /api/v1/payments', input, press('lost-answers'))
  house.misbehave = (request, reply) => {
    if (request.method !== 'POST') return false
    reply.socket?.destroy()
    return false
  }
  expect(await lost()).toMatchObject({ status: 502 })
  house.misbehave = (_request, reply) => {
    reply.writeHead(502, { 'content-type': 'text/html' }).end('<html>bad gateway</html>')
    return true
  }
  expect(await lost()).toMatchObject({ status: 502 })
  house.misbehave = null
  t.clock.advance(MINUTE)
  await reconcilePayments(t.ctx)
  const { data } = await call(t, 'POST /api/v1/payments', input, press('lost-answers'))
  const order = data.transaction_id
  expect(house.invoices).toHaveLength(2)
  const { id, ...first } = house.of(order)
  const late = { ...first, id: `${id}late`, createdTime: first.createdTime + 5 }
  house.invoices.push(late)
  const payments = [settled('of-late', '0.00031060')]
  Object.assign(late, { status: 'Settled', payments })
  expect(await tellBtcpay(t, house.event('InvoiceSettled', { invoiceId: late.id, metadata: late.metadata }))).toBe(200)
  expect(await look(t, user, order)).toMatchObject({ state: 'paid', received: '20.00' })
  const seen = { house, order, user }
  expect(await become(t, seen, ['Settled', { payments: [settled('of-first', '0.00031060')] }])).toEqual([
    'paid',
    '40.00',
  ])
  Object.assign(house.of(order), { archived: true })
  expect(await become(t, seen, ['Settled'])).toEqual(['paid', '40.00'])
  expect(house.faults).toEqual([])
  await expectRightBooks(t)
})

test('less, more, in parts, late, within the tolerance, marked by hand, invalid: what has settled is credited once', async () => {
  await using t = await startTestApp()
  await using house = await openBtcpayHouse(t.clock)
  house.rate = '62500.00'
  const user = await openBtcpayShop(t, house, { tolerance_percent: 5 })
  const open = async () => ({ house, user, order: (await begin(t, user, '20.00', 'coin-btc')).transaction_id })
  const [half, third] = [settled('half', '0.00016'), '0.00010667']
  const part = await open()
  const expired = { additional: 'PaidPartial', payments: [half] }
  expect(await become(t, part, ['Expired', expired])).toEqual(['partial', '10.00'])
  const late = { additional: 'PaidLate', payments: [half, settled('rest', '0.00016')] }
  expect(await become(t, part, ['Expired', late])).toEqual(['paid', '20.00'])

  const over = await open()
  const parts = [settled('a', third), settled('b', third), settled('c', third)]
  expect(await become(t, over, ['Settled', { additional: 'PaidOver', payments: parts }])).toEqual(['paid', '20.00'])

  const short = await open()
  const almost = [settled('d', '0.00030500', { fee: '0.00000100' })]
  expect(await become(t, short, ['Expired', { additional: 'PaidLate', payments: almost }])).toEqual([
    'partial',
    '19.00',
  ])
  expect(await become(t, short, ['Settled', { payments: almost }])).toEqual(['paid', '20.00'])

  const marked = await open()
  expect(await become(t, marked, ['Settled', { additional: 'Marked', payments: [] }])).toEqual(['pending', '0.00'])
  expect(await become(t, marked, ['Settled', { additional: 'Marked', payments: [settled('e', '0.00008')] }])).toEqual([
    'partial',
    '5.00',
  ])

  const invalid = await open()
  const coming = { ...settled('f', '0.00032'), status: 'Processing' } as const
  expect(await become(t, invalid, ['Processing', { payments: [coming] }])).toEqual(['confirming', '0.00'])
  expect(await become(t, invalid, ['Invalid', { payments: [coming] }])).toEqual(['failed', '0.00'])
  expect(await become(t, invalid, ['Invalid', { payments: [settled('f', '0.00032')] }])).toEqual(['paid', '20.00'])
  expect(await balanceOf(t, user)).toBe('85.00')
  expect(house.faults).toEqual([])
  await expectRightBooks(t)
})

test('a payment that vanishes is unseen before it settled, disputed after; it comes back, or is lost in the end', async () => {
  await using t = await startTestApp()
  await using house = await openBtcpayHouse(t.clock)
  const user = await openBtcpayShop(t, house)
  const seen = { house, user, order: (await begin(t, user, '20.00', 'coin-btc')).transaction_id }
  const payment = settled('tx-0', '0.00031060')
  const coming = { ...payment, status: 'Processing' } as const
  expect(await become(t, seen, ['Processing', { payments: [coming] }])).toEqual(['confirming', '0.00'])
  expect(await become(t, seen, ['New', { payments: [{ ...payment, status: 'Invalid' }] }])).toEqual(['pending', '0.00'])
  expect(await become(t, seen, ['Settled', { payments: [payment] }])).toEqual(['paid', '20.00'])
  expect(await become(t, seen, ['Settled', { payments: [{ ...payment, status: 'Invalid' }] }])).toEqual([
    'disputed',
    '0.00',
  ])
  expect(await become(t, seen, ['Settled', { payments: [payment] }])).toEqual(['paid', '20.00'])
  await expectRightBooks(t)
  const other = { ...seen, order: (await begin(t, user, '20.00', 'coin-btc')).transaction_id }
  expect(await become(t, other, ['Settled', { payments: [settled('tx-1', '0.00031060')] }])).toEqual(['paid', '20.00'])
  expect(await become(t, other, ['Invalid', { payments: [] }])).toEqual(['disputed', '0.00'])
  t.clock.advance(3 * DAY)
  await reconcilePayments(t.ctx)
  const { rows } = await t.ctx.db.query<{ state: string }>({ text: 'SELECT state FROM reversals ORDER BY id' })
  expect(rows.map(({ state }) => state)).toEqual(['won', 'lost'])
  expect(await balanceOf(t, user)).toBe('20.00')
  await expectRightBooks(t)
})

test('a refund is noted by hand, and what it paid back is no vanished payment', async () => {
  await using t = await startTestApp()
  await using house = await openBtcpayHouse(t.clock)
  const user = await openBtcpayShop(t, house)
  const seen = { house, user, order: (await begin(t, user, '20.00', 'coin-btc')).transaction_id }
  const payments = [settled('tx-0', '0.00031060')]
  expect(await become(t, seen, ['Settled', { payments }])).toEqual(['paid', '20.00'])
  expect(await typed(t.database, 'payment:refund', seen.order, '--amount', '5', ...WHY)).toMatchObject({
    code: 0,
    out: expect.stringContaining('by hand'),
  })
  expect(await become(t, seen, ['Settled', { payments }])).toEqual(['paid', '15.00'])
  await expectRightBooks(t)
})
