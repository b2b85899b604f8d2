import { expect, test } from 'vitest'
import { HOUR, SECOND } from '#contract/time.ts'
import { createHeleket } from '#server/adapters/heleket/heleket.ts'
import { HELEKET_SETTINGS, openHeleketShop, tell } from '#test/builders/money/heleket.ts'
import { balanceOf, begin, look } from '#test/builders/payments.ts'
import { openHeleketHouse, signedRaw } from '#test/fakes/heleket-house.ts'
import { startTestApp } from '#test/harness/harness.ts'
import { reconcilePayments } from './reconcile.ts'

test('a signature is of the bytes: floats, slashes, empty objects and line separators as PHP writes them', async () => {
  await using t = await startTestApp()
  await using house = await openHeleketHouse(t.clock)
  const user = await openHeleketShop(t, house)
  const { transaction_id: order } = await begin(t, user, '20.00', 'coins')
  const { uuid } = house.one(order)
  const head = `{"type":"payment","uuid":"${uuid}","order_id":"${order}","status":`
  const genuine = [
    `${head}"check","commission":1.50,"amount":20.00}`,
    `${head}"process","url":"https:\\/\\/pay.heleket.com\\/x"}`,
    `${head}"confirm_check","convert":{},"list":[]}`,
    `${head}"paid","additional_data":"a\u2028b \\u2029 \\",\\"sign\\":\\"0123456789abcdef0123456789abcdef\\""}`,
  ]
  for (const text of genuine) expect(await tell(t, signedRaw(text))).toBe(200)
  const { body, headers } = signedRaw(`${head}"paid"}`)
  const [rest = '', sign = ''] = body.split(',"sign":')
  const first = `{"sign":${sign.slice(0, -1)},${rest.slice(1)}}`
  expect(await tell(t, { body: first, headers })).toBe(200)
  const forged = [
    body.replace('"paid"', '"paid_over"'),
    body.slice(0, -1),
    body.replace(/"sign":"[0-9a-f]/, '"sign":"x'),
    `${rest}}`,
    signedRaw(`${head}"paid"}`, 'the key of payouts, not of payments').body,
    '',
  ]
  for (const text of forged) expect(await tell(t, { body: text, headers })).toBe(403)
  // Parsing and serialising a line separator changes the bytes and so the signature.
  expect(signedRaw(genuine[3] ?? '').body).not.toBe(JSON.stringify(JSON.parse(signedRaw(genuine[3] ?? '').body)))
  expect(await balanceOf(t, user)).toBe('0.00')
})

test('webhooks come from the addresses that are listed, seen behind the proxy; what they say alone credits nothing', async () => {
  await using t = await startTestApp({ config: { trustedProxies: ['127.0.0.1'] } })
  await using house = await openHeleketHouse(t.clock)
  const user = await openHeleketShop(t, house, { webhook_addresses: ['31.133.220.8', '2001:db8::/32'] })
  const { transaction_id: order } = await begin(t, user, '20.00', 'coins')
  const from = (address: string, more: Record<string, unknown> = {}) => {
    const { body, headers } = house.event(order, more)
    return tell(t, { body, headers: { ...headers, 'x-forwarded-for': address } })
  }
  expect([await from('203.0.113.9'), await from('2001:db9::1'), await from('::ffff:203.0.113.9')]).toEqual([
    403, 403, 403,
  ])
  expect(await from('31.133.220.8', { status: 'paid', payment_amount: '20.00', txid: 'invented' })).toBe(200)
  expect(await from('::ffff:31.133.220.8', { status: 'paid_over', payment_amount: '2000.00' })).toBe(200)
  expect(await from('2001:db8::7', { type: 'wallet', order_id: null, status: 'paid' })).toBe(200)
  expect(await look(t, user, order)).toMatchObject({ state: 'pending', received: '0.00' })
  house.set(order, 'paid', { payment_amount: '20.00' })
  expect(await from('31.133.220.8', { txid: 'genuine' })).toBe(200)
  expect(await balanceOf(t, user)).toBe('20.00')
})

test('while Heleket fails a webhook is kept, and it is asked ever more seldom; then the money is there', async () => {
  await using t = await startTestApp()
  await using house = await openHeleketHouse(t.clock)
  const user = await openHeleketShop(t, house)
  const { transaction_id: order } = await begin(t, user, '20.00', 'coins')
  house.set(order, 'paid', { payment_amount: '20.00' })
  let asked = 0
  house.misbehave = (_request, reply) => {
    asked += 1
    reply.writeHead(503, { 'content-type': 'text/html' }).end('<html>busy</html>')
    return true
  }
  expect(await tell(t, house.event(order))).toBe(200)
  expect(asked).toBe(1)
  for (let second = 0; second < 600; second += 5) {
    t.clock.advance(5 * SECOND)
    await reconcilePayments(t.ctx)
  }
  expect(asked).toBeGreaterThan(5)
  expect(asked).toBeLessThan(15)
  house.misbehave = null
  t.clock.advance(HOUR)
  await reconcilePayments(t.ctx)
  expect(await balanceOf(t, user)).toBe('20.00')
})

test('settings are checked without a call, and their faults never repeat a key', async () => {
  await using t = await startTestApp()
  const { ctx } = t
  const make = (settings: Record<string, unknown>) => () =>
    createHeleket(ctx, { id: 1, code: 'coins', kind: 'heleket', settings: { ...HELEKET_SETTINGS, ...settings } })
  expect(make({})().systems).toMatchObject([{ key: 'coins', isCard: false, form: 'redirect' }])
  expect(make({ api_url: 'https://api.cryptomus.com' })().systems).toHaveLength(1)
  expect(make({ payment_key: 'short secret' })).toThrow('payment_key: is the payment API key')
  expect(make({ payment_key: 'short secret' })).not.toThrow(/short secret/)
  expect(make({ api_url: 'http://api.heleket.com' })).toThrow('on this machine alone')
  expect(make({ api_url: 'ftp://127.0.0.1' })).toThrow('api_url')
  expect(make({ webhook_addresses: ['somewhere'] })).toThrow('webhook_addresses')
  expect(make({ page: false })).toThrow('there is no payment method')
  const usdt = { currency: 'USDT', network: 'tron' }
  expect(make({ assets: [usdt, usdt] })).toThrow('one is named twice')
  expect(make({ assets: [{ ...usdt, network: 'TRC 20' }] })).toThrow('is a code such as tron')
  expect(make({ systems: { main: { open_minutes: 721 } } })).toThrow('open_minutes is from 5 to 720')
  expect(make({ accuracy_percent: 51 })).toThrow('accuracy_percent')
})
