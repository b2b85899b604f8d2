import { expect, test } from 'vitest'
import { HOUR, MINUTE, SECOND } from '#contract/time.ts'
import { createStripe } from '#server/adapters/stripe/stripe.ts'
import { balanceOf, begin, expectRightBooks, look } from '#test/builders/payments.ts'
import { openStripeHouse, STRIPE_KEY, STRIPE_SECRET, type StripeHouse } from '#test/fakes/stripe-house.ts'
import { call, refused } from '#test/harness/calls.ts'
import { startTestApp, type TestApp, type TestUser } from '#test/harness/harness.ts'
import { typed, WHY } from '#test/harness/typed.ts'
import { reconcilePayments } from './reconcile.ts'

type Shop = { user: TestUser; house: StripeHouse }

async function openShop(t: TestApp, house: StripeHouse): Promise<Shop> {
  const settings = { secret_key: STRIPE_KEY, webhook_secrets: ['whsec_old', STRIPE_SECRET], api_url: house.url }
  await t.addGateway({ code: 'card', kind: 'stripe', settings })
  const user = await t.makeUser({ currency: 'usd', balance: '0.00' })
  return { house, user: { ...user, token: await t.makeApiKey(user) } }
}

async function tell(t: TestApp, event: { body: string; headers: Record<string, string> }): Promise<number> {
  const { status } = await t.fetch('/gateways/card/events', { method: 'POST', ...event })
  await t.ctx.background.idle()
  return status
}

const sessionOf = ({ house }: Shop, place = house.created) =>
  house.sessions.get(`cs_test_${place}`) ?? { id: '', intent: null }

test('a card payment by Stripe Checkout: begun once, credited once, whatever order its events come in', async () => {
  await using t = await startTestApp()
  await using house = await openStripeHouse(t.clock)
  const shop = await openShop(t, house)
  const { user } = shop
  const payment = await begin(t, user, '20.00', 'card')
  expect(payment).toMatchObject({ state: 'pending', redirect_url: 'https://checkout.stripe.com/c/pay/cs_test_1' })
  const session = sessionOf(shop)
  const completed = house.event('checkout.session.completed', { id: session.id, object: 'checkout.session' })
  Object.assign(session, {
    status: 'complete',
    intent: { id: 'pi_cs_test_1', amount_received: 0, status: 'processing', metadata: {} },
  })
  expect(await tell(t, completed)).toBe(200)
  expect(await look(t, user, payment.transaction_id)).toMatchObject({ state: 'confirming' })
  house.pay(session.id)
  const paid = house.event('checkout.session.async_payment_succeeded', { id: session.id, object: 'checkout.session' })
  expect([await tell(t, paid), await tell(t, completed), await tell(t, paid)]).toEqual([200, 200, 200])
  expect(await look(t, user, payment.transaction_id)).toMatchObject({
    state: 'paid',
    received: '20.00',
    currency: 'usd',
  })
  expect(await balanceOf(t, user)).toBe('20.00')
  expect(house.faults).toEqual([])
  await expectRightBooks(t)
})

test('an answer to the creation that is lost, HTML, or an error of Stripe’s begins no second session', async () => {
  await using t = await startTestApp()
  await using house = await openStripeHouse(t.clock)
  const shop = await openShop(t, house)
  const options = { token: shop.user.token, idempotencyKey: 'one-press-only' }
  const input = { system: 'card', amount: '20.00' }
  house.misbehave = (_request, reply) => {
    reply.writeHead(502, { 'content-type': 'text/html' }).end('<html>bad gateway</html>')
    return true
  }
  expect(await refused(t, 'POST /api/v1/payments', input, options)).toMatchObject({ status: 502 })
  house.misbehave = (request, reply) => {
    if (request.method !== 'POST') return false
    reply.once('finish', () => undefined)
    setImmediate(() => reply.socket?.destroy())
    return false
  }
  await refused(t, 'POST /api/v1/payments', input, options).catch(() => undefined)
  house.misbehave = null
  const { data } = await call(t, 'POST /api/v1/payments', input, options)
  expect(data.redirect_url).toContain('cs_test_1')
  expect(house.created).toBe(1)
  expect(house.faults).toEqual([])
})

test('signatures: old and forged ones are refused, either secret is good, and a stored event is read by its arrival', async () => {
  await using t = await startTestApp()
  await using house = await openStripeHouse(t.clock)
  const shop = await openShop(t, house)
  await begin(t, shop.user, '20.00', 'card')
  const session = sessionOf(shop)
  const object = { id: session.id, object: 'checkout.session' }
  const old = house.event('checkout.session.completed', object, {
    at: new Date(t.clock.now().getTime() - 301 * SECOND),
  })
  const forged = house.event('checkout.session.completed', object, { secret: 'whsec_forged' })
  const cut = house.event('checkout.session.completed', object)
  expect([await tell(t, old), await tell(t, forged), await tell(t, { ...cut, body: cut.body.slice(0, -1) })]).toEqual([
    403, 403, 403,
  ])
  expect(await tell(t, { body: cut.body, headers: { 'content-type': 'application/json' } })).toBe(403)
  house.pay(session.id)
  house.misbehave = (_request, reply) => {
    reply.socket?.destroy()
    return true
  }
  expect(await tell(t, house.event('checkout.session.completed', object, { secret: 'whsec_old' }))).toBe(200)
  house.misbehave = null
  t.clock.advance(HOUR)
  await reconcilePayments(t.ctx)
  expect(await balanceOf(t, shop.user)).toBe('20.00')
})

test('refunds and disputes: through us, in Stripe’s dashboard, failed, warned of, won and lost', async () => {
  await using t = await startTestApp()
  await using house = await openStripeHouse(t.clock)
  const shop = await openShop(t, house)
  const { user } = shop
  const { transaction_id } = await begin(t, user, '20.00', 'card')
  const intent = house.pay(sessionOf(shop).id)
  await tell(t, house.event('checkout.session.completed', { id: 'cs_test_1', object: 'checkout.session' }))
  expect(await typed(t.database, 'payment:refund', transaction_id, '--amount', '5', ...WHY)).toMatchObject({ code: 0 })
  await t.runJobs()
  expect(house.refunds).toMatchObject([{ payment_intent: intent, amount: 500 }])
  await tell(t, house.event('refund.created', { id: 're_1', object: 'refund', payment_intent: intent }))
  expect(await look(t, user, transaction_id)).toMatchObject({ state: 'paid', refunded: '5.00' })

  house.refunds.push({ id: 're_2', payment_intent: intent, amount: 300, status: 'pending' })
  await tell(t, house.event('charge.refunded', { id: 'ch_1', object: 'charge', payment_intent: intent }))
  expect(await balanceOf(t, user)).toBe('12.00')
  Object.assign(house.refunds[1] ?? {}, { status: 'failed' })
  await tell(t, house.event('refund.failed', { id: 're_2', object: 'refund', payment_intent: intent }))
  expect(await balanceOf(t, user)).toBe('15.00')

  const dispute = { id: 'dp_1', payment_intent: intent, amount: 2_000, status: 'warning_needs_response' }
  house.disputes.push(dispute)
  const told = () =>
    tell(t, house.event('charge.dispute.updated', { id: 'dp_1', object: 'dispute', payment_intent: intent }))
  await told()
  expect(await balanceOf(t, user)).toBe('15.00')
  dispute.status = 'needs_response'
  await told()
  expect(await look(t, user, transaction_id)).toMatchObject({ state: 'disputed' })
  expect(await balanceOf(t, user)).toBe('0.00')
  dispute.status = 'won'
  await told()
  expect(await balanceOf(t, user)).toBe('15.00')
  await expectRightBooks(t)
})

test('a refund whose answer was lost is found, and not made again, once Stripe has forgotten its key', async () => {
  await using t = await startTestApp()
  await using house = await openStripeHouse(t.clock)
  const shop = await openShop(t, house)
  const { transaction_id } = await begin(t, shop.user, '20.00', 'card')
  house.pay(sessionOf(shop).id)
  await tell(t, house.event('checkout.session.completed', { id: 'cs_test_1', object: 'checkout.session' }))
  await typed(t.database, 'payment:refund', transaction_id, '--amount', '5', ...WHY)
  house.misbehave = ({ method }, reply) => {
    if (method === 'POST') setImmediate(() => reply.socket?.destroy())
    return false
  }
  await t.runJobs()
  expect(house.refunds).toHaveLength(1)
  house.misbehave = null
  house.forgetKeys()
  await t.hurryJobs()
  expect(house.refunds).toHaveLength(1)
  expect(await look(t, shop.user, transaction_id)).toMatchObject({ state: 'paid', refunded: '5.00' })
  // A refund of an equal amount that staff made in Stripe's dashboard is a separate refund.
  await typed(t.database, 'payment:refund', transaction_id, '--amount', '4', ...WHY)
  const intent = house.pay(sessionOf(shop).id)
  house.refunds.push({ id: 're_hand', payment_intent: intent, amount: 400, status: 'succeeded', metadata: {} })
  await tell(t, house.event('refund.created', { id: 're_hand', object: 'refund', payment_intent: intent }))
  expect(await balanceOf(t, shop.user)).toBe('7.00')
  await t.runJobs()
  expect(house.refunds).toHaveLength(3)
  expect(await balanceOf(t, shop.user)).toBe('7.00')
  house.misbehave = ({ method }, reply) => {
    if (method === 'POST') reply.socket?.destroy()
    return method === 'POST'
  }
  await typed(t.database, 'payment:refund', transaction_id, '--amount', '1', ...WHY)
  await t.runJobs()
  expect(await balanceOf(t, shop.user)).toBe('6.00')
  house.misbehave = null
  await typed(t.database, 'payment:refund-cancel', transaction_id, ...WHY)
  await t.hurryJobs()
  expect(house.refunds).toHaveLength(3)
  expect(await balanceOf(t, shop.user)).toBe('7.00')
  await expectRightBooks(t)
})

test('a session that nobody paid expires; an answer about another payment or currency credits nothing', async () => {
  await using t = await startTestApp()
  await using house = await openStripeHouse(t.clock)
  const shop = await openShop(t, house)
  const { user } = shop
  const first = await begin(t, user, '20.00', 'card')
  const second = await begin(t, user, '30.00', 'card')
  Object.assign(sessionOf(shop, 1), { status: 'expired' })
  house.pay('cs_test_2')
  Object.assign(sessionOf(shop, 2), { client_reference_id: first.transaction_id })
  t.clock.advance(MINUTE)
  await reconcilePayments(t.ctx)
  expect(await look(t, user, first.transaction_id)).toMatchObject({ state: 'expired' })
  expect(await look(t, user, second.transaction_id)).toMatchObject({ state: 'pending' })
  Object.assign(sessionOf(shop, 2), { client_reference_id: second.transaction_id, currency: 'eur' })
  t.clock.advance(MINUTE)
  await reconcilePayments(t.ctx)
  expect(await balanceOf(t, user)).toBe('0.00')
})

test('settings are checked without a call, and their faults never repeat a key', async () => {
  await using t = await startTestApp()
  const { ctx } = t
  const make = (settings: Record<string, unknown>) => () =>
    createStripe(ctx, { id: 1, code: 'card', kind: 'stripe', settings })
  const good = { secret_key: STRIPE_KEY, webhook_secrets: [STRIPE_SECRET] }
  expect(make(good)().systems).toMatchObject([{ key: 'card', isCard: true, form: 'redirect' }])
  expect(make({ ...good, secret_key: 'pk_live_public' })).toThrow('secret_key: is a secret key')
  expect(make({ ...good, secret_key: 'pk_live_public' })).not.toThrow(/pk_live_public/)
  expect(make({ ...good, webhook_secrets: [] })).toThrow('webhook_secrets')
  expect(make({ ...good, api_url: 'http://stripe.example/' })).toThrow('on this machine alone')
  expect(make({ ...good, systems: { main: { open_minutes: 10 } } })).toThrow('open_minutes is from 31')
  expect(make({ ...good, systems: { other: {} } })).toThrow('there is no other')
})
