import { expect, test } from 'vitest'
import { MINUTE, SECOND } from '#contract/time.ts'
import { reconcilePayments } from '#server/core/payments/reconcile.ts'
import { balanceOf, begin, expectRightBooks, look, payer } from '#test/builders/payments.ts'
import { addFakeGateway, arrived, providerIdOf } from '#test/fakes/fake-gateway.ts'
import { call, refused } from '#test/harness/calls.ts'
import { startTestApp, type TestApp } from '#test/harness/harness.ts'

async function eventStates(t: TestApp): Promise<Record<string, number>> {
  const { rows } = await t.ctx.db.query<{ state: string; count: number }>({
    text: 'SELECT state, count(*)::integer AS count FROM gateway_events GROUP BY state ORDER BY state',
  })
  return Object.fromEntries(rows.map(({ state, count }) => [state, count]))
}

test('the same webhook a thousand times at once credits once, and asks the gateway a few times', async () => {
  await using t = await startTestApp()
  const gateway = await addFakeGateway(t)
  const user = await payer(t)
  const { transaction_id } = await begin(t, user)
  gateway.facts.set(transaction_id, arrived(['d', 50_000]))
  const send = () => gateway.send(t, { event: 'same', transaction: transaction_id }).then(({ status }) => status)
  const statuses = await Promise.all(Array.from({ length: 1000 }, send))
  expect(new Set(statuses)).toEqual(new Set([200]))
  await t.ctx.background.idle()
  expect(await balanceOf(t, user)).toBe('500.00')
  expect(await eventStates(t)).toEqual({ processed: 1, repeated: 999 })
  expect(gateway.asked.length).toBeLessThan(20)
  await expectRightBooks(t)
})

test('forged, cut and foreign webhooks credit nothing, and are kept; whoever sends many is turned away unstored', async () => {
  await using t = await startTestApp({ config: { trustedProxies: ['127.0.0.1'] } })
  const [gateway, other] = [await addFakeGateway(t), await addFakeGateway(t, 'other')]
  const user = await payer(t)
  const { transaction_id } = await begin(t, user)
  gateway.facts.set(transaction_id, arrived(['d', 50_000]))
  const event = { event: 'e', transaction: transaction_id }
  const body = Buffer.from(JSON.stringify(event))
  const forgeries = [
    { signature: 'wrong' },
    { signature: '' },
    { body: body.subarray(0, 20) },
    { body: Buffer.alloc(0), signature: 'x' },
  ]
  for (const forged of forgeries.slice(0, 2)) expect((await gateway.send(t, event, forged)).status).toBe(403)
  const whole = await import('node:crypto').then(({ createHmac }) =>
    createHmac('sha256', 'a secret of the fake gateway').update(body).digest('hex'),
  )
  expect((await gateway.send(t, event, { body: body.subarray(0, 20), signature: whole })).status).toBe(403)
  expect((await t.fetch('/gateways/nobody/events', { method: 'POST', body: 'x' })).status).toBe(404)
  expect((await other.send(t, { event: 'e', transaction: transaction_id })).status).toBe(200)
  await t.ctx.background.idle()
  expect(await balanceOf(t, user)).toBe('0.00')
  expect(gateway.asked).toEqual([])
  expect(await eventStates(t)).toEqual({ refused: 3, stored: 1 })

  const statuses: number[] = []
  for (let turn = 0; turn < 40; turn += 1) {
    statuses.push((await gateway.send(t, event, { signature: 'wrong', from: '203.0.113.9' })).status)
  }
  expect(statuses.slice(29)).toEqual([403, ...Array.from({ length: 10 }, () => 429)])
  expect((await gateway.send(t, event)).status).toBe(200)
  await t.ctx.background.idle()
  expect(await balanceOf(t, user)).toBe('500.00')
  await gateway.send(t, event)
  await t.ctx.background.idle()
  expect(await balanceOf(t, user)).toBe('500.00')
  t.clock.advance(11 * MINUTE)
  await reconcilePayments(t.ctx)
  expect(await eventStates(t)).toMatchObject({ unknown: 1, processed: 1, repeated: 1 })
})

test('forged webhooks from many networks fill no disk, and genuine ones are heard', async () => {
  await using t = await startTestApp({ config: { trustedProxies: ['127.0.0.1'] } })
  const gateway = await addFakeGateway(t)
  const user = await payer(t)
  const { transaction_id } = await begin(t, user)
  const event = { event: 'first', transaction: transaction_id }
  await gateway.send(t, event, { from: '198.51.100.7' })
  for (let turn = 0; turn < 320; turn += 1) {
    await gateway.send(t, event, { signature: 'wrong', from: `203.0.${turn % 250}.${turn >> 5}` })
  }
  expect((await eventStates(t)).refused).toBe(300)
  expect((await gateway.send(t, { ...event, event: 'second' }, { from: '192.0.2.9' })).status).toBe(200)
  gateway.facts.set(transaction_id, arrived(['d', 50_000]))
  expect((await gateway.send(t, { ...event, event: 'third' }, { from: '198.51.100.7' })).status).toBe(200)
  await t.ctx.background.idle()
  expect(await balanceOf(t, user)).toBe('500.00')
})

test('a webhook is no reason to believe: what it tells is not credited, what the gateway answers is', async () => {
  await using t = await startTestApp()
  const gateway = await addFakeGateway(t)
  const user = await payer(t)
  const { transaction_id } = await begin(t, user)
  await gateway.send(t, { event: 'paid', transaction: transaction_id })
  await t.ctx.background.idle()
  expect(await look(t, user, transaction_id)).toMatchObject({ state: 'pending' })
})

test('a webhook before the answer to the creation waits for it', async () => {
  await using t = await startTestApp()
  const gateway = await addFakeGateway(t)
  const user = await payer(t)
  const standard = gateway.onBegin
  gateway.onBegin = async (order, signal) => {
    gateway.facts.set(order.transactionId, arrived(['d', 50_000]))
    await gateway.send(t, { event: 'early', provider: providerIdOf(order.transactionId) })
    await t.ctx.background.idle()
    return standard(order, signal)
  }
  const { state } = await begin(t, user)
  expect([state, await balanceOf(t, user)]).toEqual(['pending', '0.00'])
  t.clock.advance(6 * SECOND)
  await reconcilePayments(t.ctx)
  expect(await balanceOf(t, user)).toBe('500.00')
  expect(await eventStates(t)).toEqual({ processed: 1 })
})

test('a gateway that is down or hangs up at creation loses nothing: a repeated key goes on', async () => {
  await using t = await startTestApp()
  const gateway = await addFakeGateway(t)
  const user = await payer(t)
  const standard = gateway.onBegin
  const input = { system: 'fake', amount: '500.00' }
  const options = { token: user.token, idempotencyKey: 'one-press-only' }
  gateway.onBegin = () => Promise.reject(new SyntaxError('Unexpected token < in JSON: <html>'))
  expect(await refused(t, 'POST /api/v1/payments', input, options)).toMatchObject({
    status: 502,
    body: { code: 'GATEWAY_UNAVAILABLE' },
  })
  gateway.onBegin = () => Promise.reject(new Error('socket hang up'))
  expect(await refused(t, 'POST /api/v1/payments', input, options)).toMatchObject({ status: 502 })
  gateway.onBegin = standard
  const { data } = await call(t, 'POST /api/v1/payments', input, options)
  expect(data).toMatchObject({ state: 'pending', redirect_url: `https://pay.example/${data.transaction_id}` })
  expect(new Set(gateway.orders.map(({ transactionId }) => transactionId))).toEqual(new Set([data.transaction_id]))
  gateway.onBegin = async ({ transactionId }) => {
    gateway.facts.set(transactionId, arrived(['lost answer', 50_000]))
    throw new Error('socket hang up')
  }
  await refused(t, 'POST /api/v1/payments', input, { token: user.token })
  t.clock.advance(MINUTE)
  await reconcilePayments(t.ctx)
  expect(await balanceOf(t, user)).toBe('500.00')
  gateway.onBegin = () => Promise.reject(new Error('ECONNREFUSED'))
  gateway.onFetch = async () => null
  await refused(t, 'POST /api/v1/payments', input, { token: user.token })
  for (let turn = 0; turn < 5; turn += 1) {
    t.clock.advance(MINUTE)
    await reconcilePayments(t.ctx)
  }
  const { history } = await call(t, 'GET /api/payments-history', {}, { token: user.token })
  expect(history.data.map(({ state }) => state)).toEqual(['failed', 'paid', 'pending'])
  await expectRightBooks(t)
})

test('a gateway that fails while it is asked is asked again, and its failure is shown to staff', async () => {
  await using t = await startTestApp()
  const gateway = await addFakeGateway(t)
  const user = await payer(t)
  const { transaction_id } = await begin(t, user)
  t.clock.advance(SECOND)
  gateway.onFetch = () => Promise.reject(new Error('503 Service Unavailable'))
  await gateway.send(t, { event: 'e', transaction: transaction_id })
  await t.ctx.background.idle()
  const failing = await t.ctx.db.query({
    text: 'SELECT last_failure FROM gateways WHERE last_failure_at > last_success_at',
  })
  expect(failing.rows).toEqual([{ last_failure: '503 Service Unavailable' }])
  expect(await eventStates(t)).toEqual({ processed: 1 })
  gateway.onFetch = async () => arrived(['d', 50_000])
  t.clock.advance(MINUTE)
  await reconcilePayments(t.ctx)
  expect(await balanceOf(t, user)).toBe('500.00')
  expect(await eventStates(t)).toEqual({ processed: 1 })
})

test('one deposit that is named for two payments is credited once', async () => {
  await using t = await startTestApp()
  const gateway = await addFakeGateway(t)
  const [anna, boris] = [await payer(t), await payer(t)]
  const first = await begin(t, anna)
  const second = await begin(t, boris)
  for (const { transaction_id } of [first, second]) gateway.facts.set(transaction_id, arrived(['the same', 50_000]))
  await Promise.all([
    gateway.send(t, { event: '1', transaction: first.transaction_id }),
    gateway.send(t, { event: '2', transaction: second.transaction_id }),
  ])
  await t.ctx.background.idle()
  expect([await balanceOf(t, anna), await balanceOf(t, boris)].toSorted()).toEqual(['0.00', '500.00'])
  await expectRightBooks(t)
})
