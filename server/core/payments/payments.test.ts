import { expect, test } from 'vitest'
import { DAY, MINUTE } from '#contract/time.ts'
import { gatewaysOf } from '#server/core/gateways/running-gateways.ts'
import { balanceOf, begin, expectRightBooks, look, payer } from '#test/builders/payments.ts'
import { addFakeGateway, arrived, providerIdOf } from '#test/fakes/fake-gateway.ts'
import { call, refused } from '#test/harness/calls.ts'
import { startTestApp } from '#test/harness/harness.ts'
import { listen } from '#test/harness/live-listener.ts'
import { reconcilePayments } from './reconcile.ts'

test('a payment is begun, told of by a webhook, credited once, and seen everywhere', async () => {
  await using t = await startTestApp()
  const gateway = await addFakeGateway(t)
  Object.assign(gateway.system, { feePoints: 350, bonusPoints: 500 })
  const user = await t.makeUser({ balance: '10.00' })
  using live = await listen(t, user)
  const offered = await call(t, 'GET /api/payments', {}, { token: user.token, locale: 'en' })
  expect(offered).toMatchObject({
    systems: {
      fake: {
        name: 'Fake card',
        form: 'redirect',
        min: '10.00',
        max: '100000.00',
        fee_percent: '3.5',
        bonus_percent: '5',
      },
    },
    default_system: 'fake',
    active_payments: {},
  })

  const payment = await begin(t, user)
  const { transaction_id } = payment
  expect(payment).toMatchObject({
    state: 'pending',
    sum: '500.00',
    fee: '17.50',
    bonus: '25.00',
    credited: '0.00',
    currency: 'rub',
    redirect_url: `https://pay.example/${transaction_id}`,
  })
  expect(gateway.orders).toMatchObject([{ transactionId: transaction_id, amountMicros: 500_000_000n, currency: 'rub' }])
  expect(gateway.orders[0]?.returnUrl).toBe(`${t.url}/top-up?payment=${transaction_id}`)
  const active = await call(t, 'GET /api/payments', {}, { token: user.token })
  expect(active.active_payments).toEqual({ [transaction_id]: payment })

  gateway.facts.set(transaction_id, arrived(['d1', 50_000]))
  expect((await gateway.send(t, { event: 'e1', transaction: transaction_id })).status).toBe(200)
  expect(await live.next('BalanceTopup')).toEqual({ balance: '517.50', currency: 'rub' })
  await t.ctx.background.idle()
  expect(await look(t, user, transaction_id)).toMatchObject({
    state: 'paid',
    received: '500.00',
    fee: '17.50',
    bonus: '25.00',
    credited: '507.50',
    redirect_url: null,
  })
  expect((await call(t, 'GET /api/payments', {}, { token: user.token })).active_payments).toEqual({})
  const { history } = await call(t, 'GET /api/payments-history', {}, { token: user.token })
  expect(history).toMatchObject({ data: [{ transaction_id, state: 'paid' }], meta: { last_page: 1, total: 1 } })
  const { movements } = await call(t, 'GET /api/v1/movements', {}, { token: user.token })
  expect(movements.data.map(({ kind, amount }) => [kind, amount])).toEqual([
    ['bonus', '25.00'],
    ['fee', '-17.50'],
    ['topup', '500.00'],
    ['credit', '10.00'],
  ])
  await expectRightBooks(t)
})

test('less, more, twice, late and failed: whatever arrives is credited, and the state says what is missing', async () => {
  await using t = await startTestApp()
  const gateway = await addFakeGateway(t)
  Object.assign(gateway.system, { bonusPoints: 1000 })
  const user = await payer(t)
  const settle = async (transaction: string, event: string) => {
    await gateway.send(t, { event, transaction })
    await t.ctx.background.idle()
    const { state, credited } = await look(t, user, transaction)
    return [state, credited]
  }
  const part = await begin(t, user)
  gateway.facts.set(part.transaction_id, arrived(['part-1', 30_000]))
  expect(await settle(part.transaction_id, 'a')).toEqual(['partial', '300.00'])
  gateway.facts.set(part.transaction_id, arrived(['part-1', 30_000], ['part-2', 20_000]))
  expect(await settle(part.transaction_id, 'b')).toEqual(['paid', '550.00'])
  const more = await begin(t, user)
  gateway.facts.set(more.transaction_id, arrived(['more-1', 50_000], ['more-2', 50_000]))
  expect(await settle(more.transaction_id, 'c')).toEqual(['paid', '1050.00'])
  const late = await begin(t, user)
  t.clock.advance(30 * MINUTE)
  expect(await settle(late.transaction_id, 'd')).toEqual(['expired', '0.00'])
  gateway.facts.set(late.transaction_id, arrived(['late', 50_000]))
  expect(await settle(late.transaction_id, 'e')).toEqual(['paid', '550.00'])
  const failed = await begin(t, user)
  gateway.facts.set(failed.transaction_id, { progress: 'failed', deposits: [], reversals: [] })
  expect(await settle(failed.transaction_id, 'f')).toEqual(['failed', '0.00'])
  expect(await balanceOf(t, user)).toBe('2150.00')
  await expectRightBooks(t)
})

test('a payment that no webhook told of is found, with growing pauses, also after its time', async () => {
  await using t = await startTestApp()
  const gateway = await addFakeGateway(t)
  const user = await payer(t)
  const { transaction_id } = await begin(t, user)
  const asked = async (ms: number) => {
    t.clock.advance(ms)
    await reconcilePayments(t.ctx)
    return gateway.asked.length
  }
  expect(await asked(MINUTE)).toBe(1)
  expect(await asked(1000)).toBe(1)
  expect(await asked(MINUTE)).toBe(2)
  for (let turn = 0; turn < 20; turn += 1) await asked(MINUTE)
  expect(gateway.asked.length).toBeLessThan(10)
  expect(await look(t, user, transaction_id)).toMatchObject({ state: 'expired' })
  gateway.facts.set(transaction_id, arrived(['d', 50_000]))
  await asked(DAY)
  expect(await look(t, user, transaction_id)).toMatchObject({ state: 'paid', credited: '500.00' })
  const before = gateway.asked.length
  expect(await asked(DAY / 4)).toBe(before)
})

test('a repeated key begins one payment; other input is refused; five are open at most, also at once', async () => {
  await using t = await startTestApp()
  const gateway = await addFakeGateway(t)
  const user = await payer(t)
  const other = await payer(t)
  const options = { token: user.token, idempotencyKey: 'the-same-press' }
  const input = { system: 'fake', amount: '500.00' }
  const replies = await Promise.all(Array.from({ length: 5 }, () => call(t, 'POST /api/v1/payments', input, options)))
  expect(new Set(replies.map(({ data }) => data.transaction_id)).size).toBe(1)
  expect(await refused(t, 'POST /api/v1/payments', { ...input, amount: '600.00' }, options)).toMatchObject({
    body: { code: 'IDEMPOTENCY_CONFLICT' },
  })
  const statuses = await Promise.all(
    Array.from({ length: 9 }, async (_each, place) => {
      const headers = { 'content-type': 'application/json', 'idempotency-key': `press-${place}-of-nine` }
      const body = JSON.stringify(input)
      return (await t.fetch('/api/v1/payments', { method: 'POST', token: user.token, headers, body })).status
    }),
  )
  expect(statuses.toSorted()).toEqual([201, 201, 201, 201, 409, 409, 409, 409, 409])
  expect(gateway.orders.length).toBeLessThan(15)
  const [first] = replies
  const transaction_id = first?.data.transaction_id ?? ''
  for (const key of [
    'GET /api/v1/payments/{transaction_id}',
    'POST /api/v1/payments/{transaction_id}/cancel',
  ] as const) {
    expect(await refused(t, key, { transaction_id }, { token: other.token })).toMatchObject({ status: 404 })
  }
  const closing = call(t, 'POST /api/v1/payments/{transaction_id}/cancel', { transaction_id }, { token: user.token })
  expect((await closing).data).toMatchObject({ state: 'expired', closed: true })
  expect(
    await refused(t, 'POST /api/v1/payments/{transaction_id}/cancel', { transaction_id }, { token: user.token }),
  ).toMatchObject({ body: { code: 'PAYMENT_ENDED' } })
  await begin(t, user)
  gateway.facts.set(transaction_id, arrived(['closed', 50_000]))
  await gateway.send(t, { event: 'x', provider: providerIdOf(transaction_id) })
  await t.ctx.background.idle()
  expect(await balanceOf(t, user)).toBe('500.00')
  expect(await look(t, user, transaction_id)).toMatchObject({ state: 'paid', closed: false })
})

test('one who begins payment after payment has to wait, and keeps nobody else from paying', async () => {
  await using t = await startTestApp({ config: { trustedProxies: ['127.0.0.1'] } })
  const gateway = await addFakeGateway(t)
  const [thief, other] = [await payer(t), await payer(t)]
  const statuses: number[] = []
  for (let turn = 0; turn < 18; turn += 1) {
    const headers = { 'content-type': 'application/json', 'x-forwarded-for': '203.0.113.5' }
    const body = JSON.stringify({ system: 'fake', amount: '10.00' })
    const reply = await t.fetch('/api/v1/payments', { method: 'POST', token: thief.token, headers, body })
    statuses.push(reply.status)
    const { data } = (await reply.json()) as { data?: { transaction_id: string } }
    const closed = { transaction_id: data?.transaction_id ?? '' }
    if (data !== undefined)
      await call(t, 'POST /api/v1/payments/{transaction_id}/cancel', closed, { token: thief.token })
  }
  expect(statuses).toEqual([...Array.from({ length: 15 }, () => 201), 429, 429, 429])
  expect(gateway.orders).toHaveLength(15)
  await begin(t, other)
})

test('amounts outside the limits, of too many decimals, zero, negative and huge are refused by their field', async () => {
  await using t = await startTestApp()
  await addFakeGateway(t)
  const { token } = await payer(t)
  const wrong = ['9.99', '100000.01', '0', '-500', '1e3', '500.001', '', 'NaN', '9'.repeat(20), `1${'0'.repeat(11)}`]
  for (const amount of wrong) {
    const { status, body } = await refused(t, 'POST /api/v1/payments', { system: 'fake', amount }, { token })
    expect({ amount, status, errors: Object.keys(body.errors ?? {}) }).toEqual({
      amount,
      status: 422,
      errors: ['amount'],
    })
  }
  expect(await refused(t, 'POST /api/v1/payments', { system: 'other', amount: '500' }, { token })).toMatchObject({
    body: { code: 'BAD_PAYMENT_SYSTEM' },
  })
})

test('a zone shows the systems it names, in its order; a paused gateway is not shown and still credits', async () => {
  const zone = { name: 'ru', hosts: ['localhost'], currency: 'rub', locales: ['ru', 'en'], indexing: false } as const
  const zones = [
    {
      ...zone,
      hosts: [...zone.hosts],
      locales: [...zone.locales],
      systems: ['third', 'first'],
      defaultSystem: 'first',
    },
  ]
  await using t = await startTestApp({ config: { zones } })
  const [, second, third] = [
    await addFakeGateway(t, 'first'),
    await addFakeGateway(t, 'second'),
    await addFakeGateway(t, 'third'),
  ]
  const user = await payer(t)
  const { systems, default_system } = await call(t, 'GET /api/payments', {}, { token: user.token })
  expect([Object.keys(systems), default_system]).toEqual([['third', 'first'], 'first'])
  expect(
    await refused(t, 'POST /api/v1/payments', { system: second.code, amount: '500' }, { token: user.token }),
  ).toMatchObject({
    body: { code: 'BAD_PAYMENT_SYSTEM' },
  })
  const { transaction_id } = await begin(t, user, '500.00', 'third')
  gatewaysOf(t.ctx).put({ gateway: third, settingsVersion: 1, isPaused: true })
  expect(Object.keys((await call(t, 'GET /api/payments', {}, { token: user.token })).systems)).toEqual(['first'])
  third.facts.set(transaction_id, arrived(['d', 50_000]))
  await third.send(t, { event: 'e', transaction: transaction_id })
  await t.ctx.background.idle()
  expect(await balanceOf(t, user)).toBe('500.00')
})

test('the history is filtered by day, words and transaction, page by page', async () => {
  await using t = await startTestApp()
  await addFakeGateway(t)
  const user = await payer(t)
  const made: string[] = []
  for (let place = 0; place < 12; place += 1) {
    const { transaction_id } = await begin(t, user)
    await call(t, 'POST /api/v1/payments/{transaction_id}/cancel', { transaction_id }, { token: user.token })
    made.unshift(transaction_id)
    t.clock.advance(DAY / 6)
  }
  const list = async (filter: object) => {
    const { history } = await call(t, 'GET /api/payments-history', filter, { token: user.token })
    return { ids: history.data.map((one) => one.transaction_id), last: history.meta.last_page }
  }
  expect(await list({})).toEqual({ ids: made.slice(0, 10), last: 2 })
  expect(await list({ page: 2 })).toEqual({ ids: made.slice(10), last: 2 })
  expect(await list({ page: 3 })).toEqual({ ids: [], last: 2 })
  const [day] = t.clock.now().toISOString().split('T')
  const ofDay = await list({ date: day, per_page: 50 })
  expect(ofDay.ids).toEqual((await list({ from: day, to: day, per_page: 50 })).ids)
  expect(ofDay.ids.length).toBeLessThan(8)
  const inNewYork = await list({ date: day, time_zone: 'America/New_York', per_page: 50 })
  expect(inNewYork.ids).not.toEqual(ofDay.ids)
  for (const wrong of [{ time_zone: 'Mars' }, { from: '2026-03-02', to: '2026-03-01' }]) {
    const { body } = await refused(t, 'GET /api/payments-history', wrong, { token: user.token })
    expect(Object.keys(body.errors ?? {})).toEqual([Object.keys(wrong)[0]])
  }
  expect((await list({ payment_id: made[3] })).ids).toEqual([made[3]])
  expect((await list({ search: 'FAKE card', per_page: 50 })).ids).toEqual(made)
  expect((await list({ search: made[5]?.slice(0, 20) })).ids).toEqual([made[5]])
  expect((await list({ search: '%' })).ids).toEqual([])
})

test('an account of the first days pays in by card up to a sum, also by two at once; an older one has no such limit', async () => {
  await using t = await startTestApp()
  const gateway = await addFakeGateway(t)
  Object.assign(gateway.system, { firstDays: { days: 7, mostMicros: { rub: 1_000_000_000n } } })
  const user = await payer(t)
  const ask = (amount: string) =>
    refused(t, 'POST /api/v1/payments', { system: 'fake', amount }, { token: user.token, locale: 'en' })
  await begin(t, user, '300.00')
  const ends = await Promise.allSettled([1, 2].map(() => begin(t, user, '400.00')))
  expect(ends.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
  expect(await ask('300.01')).toMatchObject({
    status: 422,
    body: {
      errors: {
        amount: [
          'In its first 7 days, an account can top up no more than 1000.00 with this method. You can still top up 300.00.',
        ],
      },
    },
  })
  t.clock.advance(7 * DAY + MINUTE)
  await begin(t, user, '5000.00')
})

test('sessions of cards are limited for a network, and other systems go on', async () => {
  await using t = await startTestApp()
  const gateway = await addFakeGateway(t)
  const users = await Promise.all(Array.from({ length: 5 }, () => payer(t)))
  for (const user of users) for (const _ of [1, 2, 3, 4]) await begin(t, user)
  const late = await payer(t)
  expect(
    await refused(t, 'POST /api/v1/payments', { system: 'fake', amount: '500.00' }, { token: late.token }),
  ).toMatchObject({ status: 429 })
  Object.assign(gateway.system, { isCard: false })
  await begin(t, late)
})
