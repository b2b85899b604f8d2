import { expect, test } from 'vitest'
import { MAX_SANDBOX_KEYS } from '#contract/api-key.ts'
import { MINUTE } from '#contract/time.ts'
import { dropRevokedSince } from '#server/core/accounts/api-keys/end-overlaps.ts'
import { setBlocked } from '#server/core/accounts/users/queries.ts'
import { catalogOf } from '#server/core/catalog/offers/catalog-index.ts'
import { loadCatalog } from '#server/core/catalog/offers/load-catalog.ts'
import { sweepExpired } from '#server/core/numbers/activations/sweep.ts'
import { receiveSms } from '#server/core/numbers/delivery/receive-sms.ts'
import { suppliersOf } from '#server/core/suppliers/running-suppliers.ts'
import { sendDue } from '#server/core/webhooks/sending/send-due.ts'
import { sandboxOf, sandboxSupplyOf } from '#server/house/sandbox.ts'
import { startSandbox } from '#server/programs/boot/start-sandbox.ts'
import { buyOne, count, expectBooksRight } from '#test/builders/activation-rows.ts'
import { startReceiver } from '#test/fakes/webhook-receiver.ts'
import { call, refused } from '#test/harness/calls.ts'
import { startTestApp, type TestApp } from '#test/harness/harness.ts'
import { listen } from '#test/harness/live-listener.ts'
import { buyPlay, makeSandboxKey, settledPlay, startSandboxTest } from '#test/services/sandbox-service.ts'
import { hook } from '#test/services/webhook-service.ts'

const BUY = 'POST /api/v1/activations'
const GET = 'GET /api/v1/activations/{id}'
const CANCEL = 'POST /api/v1/activations/{id}/cancel'
const TOP_UP = 'POST /api/v1/sandbox/top-up'
const TELEGRAM = { service_id: 'tg', country_id: 0 }

const balanceOf = async (t: TestApp, token: string) => Number((await call(t, 'GET /api/user', {}, { token })).balance)

test('17.6: a sandbox key buys with play money from the simulator, and every reply says so', async () => {
  await using s = await startSandboxTest()
  const { t, user, token } = s
  const bought = await buyPlay(t, token)
  expect(bought).toMatchObject({ sandbox: true, operator: 'swift', phone: expect.stringMatching(/^7000\d{7}$/) })
  const coded = await settledPlay(t, token, bought.id)
  expect(coded).toMatchObject({ sandbox: true, state: 'received', code: expect.stringMatching(/^\d{5}$/) })
  const me = await call(t, 'GET /api/user', {}, { token })
  expect(me).toMatchObject({ sandbox: true, email: '', currency: 'rub', held: '0.00' })
  expect(10_000 - Number(me.balance)).toBeCloseTo(Number(bought.price))
  const refusal = await t.fetch(`/api/v1/activations/${bought.id}/cancel`, { method: 'POST', token })
  expect([refusal.status, refusal.headers.get('sandbox')]).toEqual([409, 'true'])
  expect((await call(t, 'GET /api/v1/history', {}, { token })).history.data).toMatchObject([{ id: bought.id }])

  const owner = await call(t, 'GET /api/user', {}, user)
  expect(owner).toMatchObject({ balance: '100.00', activations: { count: 0, rent_count: 0 }, notifications_count: 0 })
  expect(owner).not.toHaveProperty('sandbox')
  const real = await t.makeApiKey(user)
  for (const other of [user.token, real]) {
    expect((await refused(t, GET, { id: bought.id }, { token: other })).status).toBe(404)
    expect((await refused(t, BUY, TELEGRAM, { token: other })).body.code).toBe('NO_NUMBERS')
    expect((await call(t, 'GET /api/user/active-numbers', {}, { token: other })).total_count).toBe(0)
    expect((await call(t, 'GET /api/v1/history', {}, { token: other })).history.data).toEqual([])
    expect((await t.fetch('/api/user', { token: other })).headers.has('sandbox')).toBe(false)
  }
  await expectBooksRight(t.ctx)
})

test('17.6: each behaviour of the simulator is an operator: codes, another code, refused, silent, cancelled', async () => {
  await using s = await startSandboxTest({ config: { earlyCancelSeconds: 0 } })
  const { t, token } = s
  for (const operator of ['steady', 'unicode']) {
    expect(await settledPlay(t, token, (await buyPlay(t, token, operator)).id)).toMatchObject({ state: 'received' })
  }
  const twice = await buyPlay(t, token, 'twice')
  const messages = async () => (await call(t, GET, { id: twice.id, wait: 0 }, { token })).data.messages
  await expect.poll(messages).toHaveLength(2)
  await call(t, 'POST /api/v1/activations/{id}/again', { id: twice.id }, { token })
  await expect.poll(messages).toHaveLength(4)
  expect(await settledPlay(t, token, (await buyPlay(t, token, 'used')).id)).toMatchObject({
    state: 'used',
    money: 'released',
  })
  const flaky = { ...TELEGRAM, operator_id: 'flaky' }
  await call(t, BUY, flaky, { token })
  await call(t, BUY, flaky, { token: await makeSandboxKey(t, await t.makeUser()) })
  expect((await refused(t, BUY, flaky, { token })).body.code).toBe('NO_NUMBERS')
  const before = await balanceOf(t, token)
  const { id } = await buyPlay(t, token, 'silent')
  expect((await call(t, CANCEL, { id }, { token })).data).toMatchObject({ state: 'cancelled', sandbox: true })
  expect(await balanceOf(t, token)).toBe(before)
  const silent = await buyPlay(t, token, 'silent')
  t.clock.advance(21 * MINUTE)
  await sweepExpired(t.ctx)
  expect((await call(t, GET, { id: silent.id, wait: 0 }, { token })).data).toMatchObject({ state: 'expired' })
  expect(await balanceOf(t, token)).toBe(before)
  await t.runJobs()
  await expectBooksRight(t.ctx)
})

test('17.6: numbers are rented and extended there, and heard of live', async () => {
  await using s = await startSandboxTest()
  const { t, user, token } = s
  const me = await call(t, 'GET /api/user', {}, { token })
  using program = await listen(t, { ...user, id: me.id, token })
  const { data: rental } = await call(
    t,
    'POST /api/v1/rentals',
    { service_id: 'full', country_id: 0, period: 4, operator_id: 'swift' },
    { token },
  )
  expect(rental).toMatchObject({ sandbox: true, phone: expect.stringMatching(/^7000/) })
  expect((await program.next('RentalChanged')).record).toMatchObject({ id: rental.id, sandbox: true })
  expect((await program.next('NewCode')).record).toMatchObject({ id: rental.id, sandbox: true })
  const extended = await call(t, 'POST /api/v1/rentals/{id}/extend', { id: rental.id, period: 4 }, { token })
  expect(extended.data).toMatchObject({ hours: 8, sandbox: true })
  expect((await call(t, 'GET /api/user/active-rent-numbers', {}, { token })).total_count).toBe(1)
  await expectBooksRight(t.ctx)
})

test('17.6: play money runs out and is set back, once, within limits; the owner sees it', async () => {
  await using s = await startSandboxTest()
  const { t, user, token } = s
  const shown = { sandbox: true, balance: '10000.00', held: '0.00', currency: 'rub' }
  expect((await call(t, 'GET /api/v1/sandbox', {}, user)).data).toEqual(shown)
  await t.ctx.db.query({
    text: `WITH spent AS (UPDATE accounts SET available_micros = 0 WHERE sandbox RETURNING user_id)
      UPDATE accounts SET held_micros = held_micros WHERE user_id IN (SELECT user_id FROM spent)`,
  })
  expect((await refused(t, BUY, TELEGRAM, { token })).body.code).toBe('NO_BALANCE')
  const replies = await Promise.all([call(t, TOP_UP, {}, { token }), call(t, TOP_UP, {}, user)])
  expect(replies.map(({ data }) => data)).toEqual([shown, shown])
  expect(await count(t.ctx, `transfers WHERE kind = 'sandbox_credit'`)).toBe(2)
  for (let time = 0; time < 8; time += 1) await call(t, TOP_UP, {}, time % 2 === 0 ? user : { token })
  expect((await refused(t, TOP_UP, {}, { token })).body.code).toBe('TOO_MANY_REQUESTS')
  expect(await count(t.ctx, `transfers WHERE kind = 'sandbox_credit'`)).toBe(2)
  const stranger = await t.makeUser({ currency: 'usd' })
  expect((await refused(t, TOP_UP, {}, stranger)).status).toBe(404)
  await makeSandboxKey(t, stranger)
  expect((await call(t, 'GET /api/v1/sandbox', {}, stranger)).data).toMatchObject({
    balance: '100.00',
    currency: 'usd',
  })
})

test('17.6: what is about money, people or keys is closed to a sandbox key, and its kind never changes', async () => {
  await using s = await startSandboxTest()
  const { t, user, token } = s
  const closed = [
    ['POST /api/v1/payments', { system: 'x', amount: '1' }],
    ['POST /api/v1/vouchers', { code: 'x' }],
    ['GET /api/v1/referral', {}],
    ['GET /api/v1/keys', {}],
    ['POST /api/v1/support/tickets', {}],
    ['PATCH /api/v1/user/settings', {}],
    ['POST /api/v1/preorders', {}],
  ] as const
  for (const [key, input] of closed) {
    expect([key, (await refused(t, key, input, { token })).body.code]).toEqual([key, 'FORBIDDEN'])
  }
  expect(await (await t.fetch(`/public/crypto/wallet?api_key=${token}`)).json()).toMatchObject({ title: 'BAD_API_KEY' })
  const { data: keys } = await call(t, 'GET /api/v1/keys', {}, user)
  expect(keys).toMatchObject([{ name: 'Play', sandbox: true }])
  const id = keys[0]?.id ?? 0
  expect((await refused(t, 'PATCH /api/v1/keys/{id}', { id, sandbox: false }, user)).body.code).toBe('INVALID_INPUT')
  const renewed = await call(t, 'POST /api/v1/keys/{id}/rotate', { id, overlap_hours: 0 }, user)
  expect(renewed.data.sandbox).toBe(true)
  expect((await refused(t, 'GET /api/user', {}, { token })).status).toBe(401)
  expect((await buyPlay(t, renewed.secret)).sandbox).toBe(true)
  for (let more = 1; more < MAX_SANDBOX_KEYS; more += 1) await makeSandboxKey(t, user)
  const wish = { name: 'Play', scopes: ['read'], sandbox: true }
  expect((await refused(t, 'POST /api/v1/keys', wish, user)).body).toMatchObject({ code: 'TOO_MANY_KEYS' })
  await call(t, 'POST /api/v1/keys', { ...wish, scopes: ['read'], sandbox: false }, user)
  expect(await count(t.ctx, 'users WHERE sandbox_of IS NOT NULL')).toBe(1)
})

test('17.6: a sandbox key has its limit of the day, and all keys of its owner are counted together', async () => {
  await using s = await startSandboxTest({ config: { apiRequestsPerSecond: 2 } })
  const { t, user } = s
  const token = await makeSandboxKey(t, user, { day_limit: '0.01' })
  t.clock.advance(MINUTE)
  expect((await refused(t, BUY, TELEGRAM, { token })).body).toMatchObject({ code: 'SPEND_LIMIT_REACHED' })
  const { secret: real } = await call(t, 'POST /api/v1/keys', { name: 'Shop', scopes: ['read'] }, user)
  const codes = []
  for (const each of [real, s.token, real, s.token]) {
    codes.push((await t.fetch('/api/user', { token: each })).status)
  }
  expect(codes).toEqual([200, 200, 200, 429])
})

test('17.6: no message crosses between the worlds', async () => {
  await using s = await startSandboxTest()
  const { t, user, token } = s
  const fake = await t.addFake()
  const play = await buyPlay(t, token, 'silent')
  const real = await buyOne(t, user)
  const text = 'Telegram code: 48213'
  const message = { text, sender: 'Telegram', messageId: null }
  await receiveSms(t.ctx, { ...message, supplierId: fake.id, phone: play.phone })
  await receiveSms(t.ctx, { ...message, supplierId: sandboxSupplyOf(t.ctx).supplierId ?? 0, phone: real.phone })
  expect((await call(t, GET, { id: play.id, wait: 0 }, { token })).data).toMatchObject({ state: 'waiting' })
  expect((await call(t, GET, { id: real.id, wait: 0 }, user)).data).toMatchObject({ state: 'waiting' })
  await expectBooksRight(t.ctx)
})

test('17.6: a webhook of a sandbox key is told of its orders alone, and says so', async () => {
  await using s = await startSandboxTest({ environment: { OUTBOUND_PRIVATE_HOSTS: '127.0.0.1' } })
  const { t, user, token } = s
  await using receiver = await startReceiver()
  await using field = await startReceiver()
  const made = await hook(t, { ...user, token }, { url: receiver.url })
  await hook(t, { ...user, token }, { url: field.url, form: 'field' })
  expect((await call(t, 'GET /api/v1/webhooks', {}, user)).data).toEqual([])
  await t.addFake()
  await buyOne(t, user)
  const { id } = await buyPlay(t, token)
  await settledPlay(t, token, id)
  await sendDue(t.ctx)
  expect(receiver.received.map(({ body }) => JSON.parse(body))).toMatchObject([
    { type: 'code.received', data: { id, sandbox: true } },
  ])
  expect(field.received.map(({ body }) => JSON.parse(body))).toMatchObject([{ activationId: id, sandbox: true }])
  const listed = await call(t, 'GET /api/v1/webhooks', {}, { token: await makeSandboxKey(t, user) })
  expect(listed.data.map((one) => one.id)).toContain(made.id)
  await call(t, 'DELETE /api/v1/keys/{id}', { id: made.key_id ?? 0 }, user)
  const second = await makeSandboxKey(t, user)
  await settledPlay(t, second, (await buyPlay(t, second)).id)
  await sendDue(t.ctx)
  expect([receiver.received.length, field.received.length]).toEqual([1, 1])
})

test('17.6: the owner is told of a webhook for play money that is switched off, and that it was for play', async () => {
  await using s = await startSandboxTest({ environment: { OUTBOUND_PRIVATE_HOSTS: '127.0.0.1' } })
  const { t, user, token } = s
  await using receiver = await startReceiver()
  receiver.answer = (response) => response.writeHead(410).end()
  const { id } = await hook(t, { ...user, token }, { url: receiver.url })
  await call(t, 'POST /api/v1/webhooks/{id}/test', { id }, { token })
  await sendDue(t.ctx)
  expect((await call(t, 'GET /api/v1/webhooks', {}, { token })).data).toMatchObject([{ id, off_reason: 'gone' }])
  const told = async (locale: 'en' | 'ru') => {
    const { notifications } = await call(t, 'GET /api/v1/notifications', {}, { ...user, locale })
    return notifications.map(({ title, text }) => [title, text])
  }
  expect(await told('en')).toEqual([
    [
      'The webhook Shop for play money has been switched off',
      expect.stringContaining(
        'It was for play money only. You can turn it on again through the API, using a key with play money.',
      ),
    ],
  ])
  expect(await told('ru')).toMatchObject([
    ['Тестовый вебхук Shop выключен', expect.stringContaining('тестовым ключом')],
  ])
  await call(t, 'PATCH /api/v1/webhooks/{id}', { id, on: true }, { token })
  for (let more = 1; more < 3; more += 1) await hook(t, { ...user, token }, { url: receiver.url })
  const another = { label: 'Shop', url: receiver.url }
  expect((await refused(t, 'POST /api/v1/webhooks', another, { token })).body.code).toBe('TOO_MANY_WEBHOOKS')
})

test('17.6: a sandbox has the limit of open numbers, and blocking somebody ends theirs at once', async () => {
  await using s = await startSandboxTest({ config: { maxOpenNumbers: 1 } })
  const { t, user, token } = s
  await buyPlay(t, token, 'silent')
  expect((await refused(t, BUY, TELEGRAM, { token })).body.code).toBe('TOO_MANY_OPEN_NUMBERS')
  await setBlocked(t.ctx.db, { userId: user.id, blockedAt: t.clock.now() })
  expect((await refused(t, BUY, TELEGRAM, { token })).body.code).toBe('BLOCKED')
  await dropRevokedSince(t.ctx, t.clock.now())
  expect((await refused(t, 'GET /api/user', {}, { token })).status).toBe(401)
})

test('17.6: two first keys at once make one shadow, which play money is given once', async () => {
  await using s = await startSandboxTest()
  const { t } = s
  const other = await t.makeUser()
  const tokens = await Promise.all([makeSandboxKey(t, other), makeSandboxKey(t, other)])
  const [one, two] = await Promise.all(tokens.map((token) => call(t, 'GET /api/user', {}, { token })))
  expect([one?.id, one?.balance]).toEqual([two?.id, '10000.00'])
  expect(await count(t.ctx, 'users WHERE sandbox_of = $1', [other.id])).toBe(1)
})

test('17.6: it costs nothing before its first key, and what waits for a code outlives a restart', async () => {
  await using t = await startTestApp()
  await startSandbox(t.ctx, { delayScale: 100, services: ['tg'] })
  await loadCatalog(t.ctx)
  expect(catalogOf(sandboxOf(t.ctx)).version).toBe(0)
  const token = await makeSandboxKey(t, await t.makeUser())
  const { id } = await buyPlay(t, token, 'steady')
  await suppliersOf(t.ctx).remove(sandboxSupplyOf(t.ctx).supplierId ?? 0)
  await startSandbox(t.ctx, { delayScale: 0, services: ['tg'] })
  expect(await settledPlay(t, token, id)).toMatchObject({ state: 'received' })
  expect(await count(t.ctx, 'suppliers WHERE sandbox')).toBe(1)
})
