import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { DAY, HOUR, MINUTE, SECOND } from '#contract/time.ts'
import { createStripe } from '#server/adapters/stripe/stripe.ts'
import { gatewaysOf } from '#server/core/gateways/running-gateways.ts'
import { reconcilePayments } from '#server/core/payments/reconcile.ts'
import { transaction } from '#server/house/db/transaction.ts'
import { cleanUp } from '#server/house/jobs/clean-up.ts'
import { listGateways } from '#server/programs/cli/queries/gateways.ts'
import { begin, look, payer } from '#test/builders/payments.ts'
import { addFakeGateway, arrived } from '#test/fakes/fake-gateway.ts'
import { openStripeHouse, STRIPE_KEY, STRIPE_SECRET } from '#test/fakes/stripe-house.ts'
import { startTestApp, type TestApp } from '#test/harness/harness.ts'

async function countOf(t: TestApp, text: string): Promise<number> {
  const { rows } = await t.ctx.db.query<{ count: number }>({ text: `SELECT (${text})::integer AS count` })
  return rows[0]?.count ?? 0
}

test('forged events of 64 KiB leave a trace of one, with a hash, up to so many an hour, and are deleted after a week', async () => {
  await using t = await startTestApp({ config: { trustedProxies: ['127.0.0.1'] } })
  const gateway = await addFakeGateway(t)
  const send = (from: string) =>
    gateway.send(t, { event: 'x' }, { body: randomBytes(65_000), signature: 's'.repeat(900), from })
  const statuses = []
  for (let turn = 0; turn < 40; turn += 1) statuses.push((await send('203.0.113.9')).status)
  expect(statuses).toEqual([...Array.from({ length: 30 }, () => 403), ...Array.from({ length: 10 }, () => 429)])
  const most = await countOf(
    t,
    `SELECT max(octet_length(body) + octet_length(headers::text)) FROM gateway_events WHERE octet_length(body_hash) = 32`,
  )
  expect(most).toBeLessThan(2_000)
  t.clock.advance(HOUR)
  for (let turn = 0; turn < 330; turn += 1) await send(`203.${turn % 250}.${turn >> 5}.1`)
  expect(await countOf(t, 'SELECT count(*) FROM gateway_events')).toBeLessThanOrEqual(330)
  expect(await listGateways(t.ctx.db, t.clock.now())).toMatchObject([{ refused_events: 330 }])
  t.clock.advance(8 * DAY)
  await cleanUp(t.ctx)
  expect(await countOf(t, 'SELECT count(*) FROM gateway_events')).toBe(0)
})

test('old events of every kind are deleted when their time is over, and those that wait are not', async () => {
  await using t = await startTestApp()
  const { id } = await addFakeGateway(t)
  const states = ['stored', 'processed', 'unknown', 'repeated', 'refused']
  for (const days of [1, 8, 731]) {
    await t.ctx.db.query({
      text: `INSERT INTO gateway_events (gateway_id, received_at, address, headers, body, state)
        SELECT $1, $2, '127.0.0.1', '{}', '', state FROM unnest($3::text[]) AS made (state)`,
      values: [id, new Date(t.clock.now().getTime() - days * DAY), states],
    })
  }
  await cleanUp(t.ctx)
  const { rows } = await t.ctx.db.query<{ state: string; count: number }>({
    text: 'SELECT state, count(*)::integer AS count FROM gateway_events GROUP BY state',
  })
  const left = Object.fromEntries(rows.map(({ state, count }) => [state, count]))
  expect(left).toEqual({ stored: 3, processed: 2, unknown: 2, repeated: 1, refused: 1 })
})

test('genuine events are heard from a network that sends forgeries, and while many networks send them', async () => {
  await using t = await startTestApp({ config: { trustedProxies: ['127.0.0.1'] } })
  const gateway = await addFakeGateway(t)
  const user = await payer(t)
  const { transaction_id: transaction } = await begin(t, user)
  gateway.facts.set(transaction, arrived(['d', 50_000]))
  for (let turn = 0; turn < 31; turn += 1) {
    await gateway.send(t, { event: 'x' }, { signature: 'none', from: '198.51.100.7' })
  }
  for (let turn = 0; turn < 300; turn += 1) {
    await gateway.send(t, { event: 'x' }, { signature: 'none', from: `2001:db8:${turn % 11}::1` })
  }
  const statuses = []
  for (const from of ['198.51.100.7', '2001:db8:1::1', '192.0.2.9']) {
    statuses.push((await gateway.send(t, { event: `from ${from}`, transaction }, { from })).status)
  }
  expect(statuses).toEqual([200, 200, 200])
  await t.ctx.background.idle()
  expect(await look(t, user, transaction)).toMatchObject({ state: 'paid' })
})

test('an event of a payment that cannot be asked about is settled, and the payment is asked about with growing pauses', async () => {
  await using t = await startTestApp()
  const gateway = await addFakeGateway(t)
  const user = await payer(t)
  const { transaction_id: transaction } = await begin(t, user)
  gateway.facts.set(transaction, arrived(['d', 50_000]))
  await gateway.send(t, { event: 'paid', transaction })
  await t.ctx.background.idle()
  gateway.onFetch = () => Promise.reject(new Error('429 Too many requests'))
  t.clock.advance(20 * DAY)
  await gateway.send(t, { event: 'disputed', transaction })
  await t.ctx.background.idle()
  expect(await countOf(t, `SELECT count(*) FROM gateway_events WHERE state = 'processed'`)).toBe(2)
  const before = gateway.asked.length
  for (let turn = 0; turn < 120; turn += 1) {
    t.clock.advance(5 * SECOND)
    await reconcilePayments(t.ctx)
  }
  expect(gateway.asked.length - before).toBeLessThan(7)
  const dispute = { kind: 'dispute', providerId: 'x', amountMicros: 500_000_000n, state: 'open' } as const
  gateway.onFetch = async () => ({ ...arrived(['d', 50_000]), reversals: [dispute] })
  t.clock.advance(10 * MINUTE)
  await reconcilePayments(t.ctx)
  expect(await look(t, user, transaction)).toMatchObject({ state: 'disputed' })
})

test('an event that a process took and did not settle is believed after the secret was replaced', async () => {
  await using t = await startTestApp()
  const gateway = await addFakeGateway(t)
  const user = await payer(t)
  const standard = gateway.onBegin
  gateway.onBegin = async (order, signal) => {
    gateway.facts.set(order.transactionId, arrived(['d', 50_000]))
    await gateway.send(t, { event: 'early', provider: `p-${order.transactionId}` })
    await t.ctx.background.idle()
    return standard(order, signal)
  }
  const { transaction_id } = await begin(t, user)
  const [atWork] = gatewaysOf(t.ctx).all()
  if (atWork === undefined) throw new Error('there is no gateway')
  gatewaysOf(t.ctx).put({ ...atWork, gateway: { ...gateway, readEvent: () => null } })
  t.clock.advance(6 * SECOND)
  await reconcilePayments(t.ctx)
  expect(await look(t, user, transaction_id)).toMatchObject({ state: 'paid' })
})

test('a webhook whose payment is locked is answered, stays stored meanwhile, and is settled after', async () => {
  await using t = await startTestApp()
  const gateway = await addFakeGateway(t)
  const user = await payer(t)
  const { transaction_id } = await begin(t, user)
  gateway.facts.set(transaction_id, arrived(['d', 50_000]))
  await t.ctx.db.query({ text: 'UPDATE payments SET next_check_at = NULL' })
  const stored = `SELECT count(*) FROM gateway_events WHERE state = 'stored'`
  await transaction(t.ctx.db, async (tx) => {
    await tx.query({
      text: 'SELECT FROM payments WHERE transaction_id = $1 FOR NO KEY UPDATE',
      values: [transaction_id],
    })
    expect((await gateway.send(t, { event: 'locked', transaction: transaction_id })).status).toBe(200)
    expect(await countOf(t, stored)).toBe(1)
  })
  await t.ctx.background.idle()
  expect(await countOf(t, stored)).toBe(0)
  expect(await look(t, user, transaction_id)).toMatchObject({ state: 'paid' })
})

test('Stripe: what is genuine and about nothing of ours is taken, thin events and what has no id as well', async () => {
  await using t = await startTestApp()
  await using house = await openStripeHouse(t.clock)
  const settings = { secret_key: STRIPE_KEY, webhook_secrets: [STRIPE_SECRET], api_url: house.url }
  const { readEvent } = createStripe(t.ctx, { id: 1, code: 'card', kind: 'stripe', settings })
  const read = (object: object) => {
    const { body, headers } = house.event('any', object)
    return readEvent?.({ headers, body: Buffer.from(body), address: '3.18.12.63', receivedAt: t.clock.now() })
  }
  const eventId = expect.any(String)
  expect(read({ object: 'balance', available: [] })).toEqual({ eventId })
  expect(read({ object: 'customer', id: 'cus_1' })).toEqual({ eventId })
  expect(read({ object: 'invoice', id: 'in_1', payment_intent: { id: 'pi_1' } })).toEqual({ eventId })
  expect(read({ object: 'payment_intent', id: 'pi_1' })).toEqual({ eventId, depositId: 'pi_1' })
  expect(read({ object: 'charge', id: 'ch_1', payment_intent: 'pi_1' })).toEqual({ eventId, depositId: 'pi_1' })
  expect(read({ object: 'checkout.session', id: 'cs_1' })).toEqual({ eventId, providerId: 'cs_1' })
})

test('an event that is not as documented is refused, so that its gateway repeats it, and keeps no other from being heard', async () => {
  await using t = await startTestApp()
  const gateway = await addFakeGateway(t)
  const user = await payer(t)
  const { transaction_id: transaction } = await begin(t, user)
  gateway.facts.set(transaction, arrived(['d', 50_000]))
  const standard = gateway.readEvent
  gateway.readEvent = (event) => {
    if (event.body.toString().startsWith('<html>')) throw new SyntaxError('no JSON')
    return standard?.(event) ?? null
  }
  const statuses = new Set<number>()
  for (let turn = 0; turn < 31; turn += 1) {
    statuses.add((await gateway.send(t, { event: 'x' }, { body: Buffer.from('<html>') })).status)
  }
  expect(statuses).toEqual(new Set([403, 429]))
  expect((await gateway.send(t, { event: 'paid', transaction })).status).toBe(200)
  await t.ctx.background.idle()
  expect(await look(t, user, transaction)).toMatchObject({ state: 'paid' })
})

test('the second of two stored events with one id is settled as a repetition, even in one moment', async () => {
  await using t = await startTestApp()
  const gateway = await addFakeGateway(t)
  for (let turn = 0; turn < 2; turn += 1) await gateway.send(t, { event: 'twice', transaction: 'of nobody' })
  await t.ctx.background.idle()
  t.clock.advance(11 * MINUTE)
  const waits = `SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()`
  const { settling } = await transaction(t.ctx.db, async (tx) => {
    await tx.query({
      text: `UPDATE gateway_events SET state = 'unknown', provider_event_id = 'twice' WHERE id = (SELECT max(id) FROM gateway_events)`,
    })
    const settling = reconcilePayments(t.ctx)
    await expect.poll(() => countOf(t, waits)).toBeGreaterThan(0)
    return { settling }
  })
  await settling
  const { rows } = await t.ctx.db.query({ text: 'SELECT state FROM gateway_events ORDER BY id' })
  expect(rows).toEqual([{ state: 'repeated' }, { state: 'unknown' }])
})

test('an event that an earlier release stored unread is refused, when today it proves to be forged', async () => {
  await using t = await startTestApp()
  const { id } = await addFakeGateway(t)
  await t.ctx.db.query({
    text: `INSERT INTO gateway_events (gateway_id, received_at, address, headers, body, state)
      VALUES ($1, $2, '127.0.0.1', '{}', 'forged', 'stored')`,
    values: [id, t.clock.now()],
  })
  t.clock.advance(6 * SECOND)
  await reconcilePayments(t.ctx)
  expect(await countOf(t, `SELECT count(*) FROM gateway_events WHERE state = 'refused'`)).toBe(1)
})
