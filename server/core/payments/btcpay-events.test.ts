import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { createBtcpay } from '#server/adapters/btcpay/btcpay.ts'
import { Pool } from '#server/house/db/pool.ts'
import { createApp } from '#server/programs/app.ts'
import { BTCPAY_SETTINGS, openBtcpayShop, tellBtcpay } from '#test/builders/money/btcpay.ts'
import { balanceOf, begin, expectRightBooks, look } from '#test/builders/payments.ts'
import { openBtcpayHouse } from '#test/fakes/btcpay-house.ts'
import { startPostgresProxy } from '#test/fakes/postgres-proxy.ts'
import { refused } from '#test/harness/calls.ts'
import { startTestApp, type TestApp } from '#test/harness/harness.ts'

const PAID = [{ id: 'tx-0', value: '0.00031060', status: 'Settled' as const }]

async function eventStates(t: TestApp): Promise<Record<string, number>> {
  const { rows } = await t.ctx.db.query<{ state: string; count: number }>({
    text: 'SELECT state, count(*)::integer AS count FROM gateway_events GROUP BY state',
  })
  return Object.fromEntries(rows.map(({ state, count }) => [state, count]))
}

test('webhooks: forged and cut ones are refused, either secret is good, other types are filed, deliveries count once', async () => {
  await using t = await startTestApp()
  await using house = await openBtcpayHouse(t.clock)
  const user = await openBtcpayShop(t, house)
  const { transaction_id: order } = await begin(t, user, '20.00', 'coin-btc')
  const { id: invoiceId, metadata } = house.set(order, 'Settled', { payments: PAID })
  const event = house.event('InvoiceSettled', { invoiceId, metadata })
  const forged = [
    house.event('InvoiceSettled', { invoiceId }, 'another secret'),
    { ...event, body: event.body.slice(0, -1) },
    { ...event, body: JSON.stringify(JSON.parse(event.body)) },
    { ...event, headers: { 'content-type': 'application/json' } },
    { ...event, headers: { ...event.headers, 'BTCPay-Sig': 'sha256=' } },
  ]
  for (const one of forged) expect(await tellBtcpay(t, one)).toBe(403)
  const filed = [
    house.event('PayoutApproved', { payoutId: 'p' }),
    house.event('SubscriberCreated', { metadata: 'none' }),
    house.event('InvoiceOfTheFuture', { metadata: null }),
  ]
  for (const one of filed) expect(await tellBtcpay(t, one)).toBe(200)
  expect(await eventStates(t)).toEqual({ refused: 5, unknown: 3 })
  expect(await look(t, user, order)).toMatchObject({ state: 'pending' })
  const old = house.event('InvoiceReceivedPayment', { invoiceId }, BTCPAY_SETTINGS.webhook_secrets[0])
  expect(await tellBtcpay(t, old, '/gateways/coin/webhook')).toBe(200)
  const { deliveryId } = JSON.parse(old.body) as { deliveryId: string }
  const again = house.event('InvoiceReceivedPayment', { invoiceId, originalDeliveryId: deliveryId, isRedelivery: true })
  expect(await tellBtcpay(t, again)).toBe(200)
  expect(await eventStates(t)).toEqual({ refused: 5, unknown: 3, processed: 1, repeated: 1 })
  expect(await balanceOf(t, user)).toBe('20.00')
  await expectRightBooks(t)
})

test('while PostgreSQL is away a webhook is answered 503, which BTCPay repeats; then nothing is lost', async () => {
  await using t = await startTestApp()
  await using house = await openBtcpayHouse(t.clock)
  const user = await openBtcpayShop(t, house)
  const { transaction_id: order } = await begin(t, user, '20.00', 'coin-btc')
  const { id: invoiceId, metadata } = house.set(order, 'Settled', { payments: PAID })
  let isAway = true
  await using stack = new AsyncDisposableStack()
  const proxy = stack.use(
    await startPostgresProxy(t.database.connectionString, () => (isAway ? { cutAfterBytes: 0 } : 'pass')),
  )
  const { connectionString } = proxy
  const db = stack.use(new Pool({ connectionString, maxConnections: 2, applicationName: 'test', log: t.log }))
  const ctx = { ...t.ctx, db }
  const app = await createApp(ctx)
  stack.defer(() => app.close())
  await app.listen({ host: '127.0.0.1', port: 0 })
  const { port } = app.server.address() as AddressInfo
  const event = house.event('InvoiceSettled', { invoiceId, metadata })
  const send = async () => {
    const response = await fetch(`http://127.0.0.1:${port}/gateways/coin/events`, { method: 'POST', ...event })
    await t.ctx.background.idle()
    return response.status
  }
  expect(await send()).toBe(503)
  expect(await eventStates(t)).toEqual({})
  isAway = false
  expect(await send()).toBe(200)
  expect(await balanceOf(t, user)).toBe('20.00')
  await expectRightBooks(t)
})

test('what is of another store, currency or amount is not credited; nor is HTML, a refusal, or an answer without the method', async () => {
  await using t = await startTestApp()
  await using house = await openBtcpayHouse(t.clock)
  const user = await openBtcpayShop(t, house)
  const { transaction_id: order } = await begin(t, user, '20.00', 'coin-btc')
  const invoice = house.set(order, 'Settled', { payments: PAID })
  const { id: invoiceId, metadata } = invoice
  const stays = async () => {
    expect(await tellBtcpay(t, house.event('InvoiceSettled', { invoiceId, metadata }))).toBe(200)
    expect(await look(t, user, order)).toMatchObject({ state: 'pending', received: '0.00' })
  }
  const truth = { ...invoice }
  const untrue = [
    { storeId: 'AnotherStore1' },
    { currency: 'EUR' },
    { amount: '2.00' },
    { method: 'BTC-LN' },
    { payments: [{ ...PAID[0], id: 'tx', status: 'Settled' as const, value: 'much' }] },
    { payments: [{ ...PAID[0], id: 'tx', status: 'Settled' as const, value: '-1.00000000' }] },
  ]
  for (const one of untrue) {
    Object.assign(invoice, truth, { status: 'Expired' }, one)
    if ('payments' in one) {
      expect(await tellBtcpay(t, house.event('InvoiceSettled', { invoiceId, metadata }))).toBe(200)
      expect(await look(t, user, order)).toMatchObject({ received: '0.00' })
    } else await stays()
  }
  Object.assign(invoice, truth, { metadata: { orderId: 'of-another-shop' } })
  expect(await tellBtcpay(t, house.event('InvoiceSettled', { invoiceId }))).toBe(200)
  expect(await balanceOf(t, user)).toBe('0.00')
  Object.assign(invoice, truth)
  house.misbehave = (_request, reply) => {
    reply.writeHead(200, { 'content-type': 'text/html' }).end('<html>sign in</html>')
    return true
  }
  expect(await tellBtcpay(t, house.event('InvoiceSettled', { invoiceId, metadata }))).toBe(200)
  const input = { system: 'coin-btc', amount: '20.00' }
  expect(await refused(t, 'POST /api/v1/payments', input, { token: user.token })).toMatchObject({ status: 502 })
  house.misbehave = (_request, reply) => {
    reply.writeHead(403, { 'content-type': 'application/json' }).end('{"code":"missing-permission","message":"no"}')
    return true
  }
  expect(await refused(t, 'POST /api/v1/payments', input, { token: user.token })).toMatchObject({ status: 502 })
  expect(await balanceOf(t, user)).toBe('0.00')
  house.misbehave = null
  expect(await tellBtcpay(t, house.event('InvoiceSettled', { invoiceId, metadata }))).toBe(200)
  expect(await balanceOf(t, user)).toBe('20.00')
  await expectRightBooks(t)
})

test('settings are checked without a call, and their faults never repeat a secret', async () => {
  await using t = await startTestApp()
  const { ctx } = t
  const make = (settings: Record<string, unknown>) => () =>
    createBtcpay(ctx, {
      id: 1,
      code: 'coin',
      kind: 'btcpay',
      settings: { url: 'https://pay.example/', ...BTCPAY_SETTINGS, ...settings },
    })
  expect(make({})().systems.map(({ key, form }) => [key, form])).toEqual([
    ['coin-btc', 'transfer'],
    ['coin-ln', 'transfer'],
  ])
  expect(make({ offer: ['ln'] })().systems).toMatchObject([{ key: 'coin-ln' }])
  expect(make({ offer: [] })).toThrow('offer')
  expect(make({ url: 'http://pay.example' })).toThrow('on this machine alone')
  expect(make({ api_key: 'short' })).toThrow('api_key: is an API key')
  expect(make({ api_key: 'a secret with spaces in it' })).not.toThrow(/secret with spaces/)
  expect(make({ webhook_secrets: [] })).toThrow('webhook_secrets')
  expect(make({ store_id: '../invoices' })).toThrow('store_id')
  expect(make({ offer: ['btc'], systems: { ln: {} } })).toThrow('there is no ln')
})
