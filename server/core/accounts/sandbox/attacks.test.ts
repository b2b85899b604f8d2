import { expect, test } from 'vitest'
import { SECOND } from '#contract/time.ts'
import { createFiveSimSupplier } from '#server/adapters/five-sim/buy/five-sim-supplier.ts'
import { createResellSupplier } from '#server/adapters/handler-api/handler-api-supplier.ts'
import { receiveSms } from '#server/core/numbers/delivery/receive-sms.ts'
import { sandboxSupplyOf } from '#server/house/sandbox.ts'
import { buyOne, count, expectBooksRight, pushSms } from '#test/builders/activation-rows.ts'
import { call, refused } from '#test/harness/calls.ts'
import { startTestApp } from '#test/harness/harness.ts'
import { typed, WHY } from '#test/harness/typed.ts'
import { buyPlay, makeSandboxKey, settledPlay, startSandboxTest } from '#test/services/sandbox-service.ts'

const BUY = 'POST /api/v1/activations'
const TELEGRAM = { service_id: 'tg', country_id: 0 }
const AGAIN = 'POST /api/v1/activations/{id}/again'

test('17.6: what comes back makes no rows without end: purchases and further codes have a limit, for all keys together', async () => {
  await using s = await startSandboxTest()
  const { t, user, token } = s
  const coded = await buyPlay(t, token)
  await settledPlay(t, token, coded.id)
  await t.ctx.db.query({ text: 'UPDATE accounts SET available_micros = 0 WHERE sandbox' })
  const items = Array.from({ length: 50 }, () => ({ service_id: 'tg', country_id: 0 }))
  const codes = new Set<string>()
  for (let time = 0; time < 24; time += 1) {
    t.clock.advance(5 * SECOND)
    const { data } = await call(t, 'POST /api/v1/activations/bulk', { items }, { token })
    for (const item of data.items) codes.add(item.status ? 'OK' : item.code)
  }
  expect([...codes]).toEqual(['NO_BALANCE', 'TOO_MANY_REQUESTS'])
  const other = await makeSandboxKey(t, user)
  const refusal = await refused(t, BUY, TELEGRAM, { token: other })
  expect([refusal.body.code, refusal.retryAfter]).toEqual(['TOO_MANY_REQUESTS', '1'])
  const rent = { service_id: 'full', country_id: 0, period: 4 }
  expect((await refused(t, 'POST /api/v1/rentals', rent, { token })).body.code).toBe('TOO_MANY_REQUESTS')
  expect((await refused(t, AGAIN, { id: coded.id }, { token })).body.code).toBe('TOO_MANY_REQUESTS')
  t.clock.advance(SECOND)
  expect((await refused(t, BUY, TELEGRAM, { token })).body.code).toBe('NO_BALANCE')
  await t.addFake()
  await buyOne(t, user)
})

test('17.6: movements and statements of play money are told as the schemas say, and as files', async () => {
  await using s = await startSandboxTest()
  const { t, token } = s
  await settledPlay(t, token, (await buyPlay(t, token)).id)
  const { data } = await call(t, 'GET /api/v1/statement', {}, { token })
  expect(data.sums.map(({ kind }) => kind)).toContain('sandbox_credit')
  const { movements } = await call(t, 'GET /api/v1/movements', {}, { token })
  expect(movements.data.map(({ kind }) => kind)).toEqual(['hold', 'sandbox_credit'])
  await call(t, 'GET /api/v1/entries', {}, { token })
  for (const file of ['movements.csv', 'statement.csv']) {
    const reply = await t.fetch(`/api/v1/${file}`, { token })
    expect([reply.status, await reply.text()]).toEqual([200, expect.stringContaining('тестовые деньги')])
  }
})

test('17.6: staff attach no message of one world to an order of the other', async () => {
  await using s = await startSandboxTest()
  const { t, user, token } = s
  const fake = await t.addFake()
  const play = await buyPlay(t, token, 'silent')
  const real = await buyOne(t, user)
  const message = { text: 'Telegram code: 48213', sender: 'Telegram', messageId: null }
  await receiveSms(t.ctx, { ...message, supplierId: fake.id, phone: play.phone })
  await receiveSms(t.ctx, { ...message, supplierId: sandboxSupplyOf(t.ctx).supplierId ?? 0, phone: real.phone })
  const { rows } = await t.ctx.db.query<{ id: bigint }>({ text: 'SELECT id FROM messages ORDER BY id' })
  for (const [place, order] of [play.id, real.id].entries()) {
    const tried = await typed(t.database, 'message:attach', String(rows[place]?.id), String(order), ...WHY)
    expect(tried).toMatchObject({ code: 1, err: expect.stringContaining('is of the sandbox') })
  }
  expect(await count(t.ctx, `messages WHERE given = 'unmatched'`)).toBe(2)
  await expectBooksRight(t.ctx)
})

test('17.6: orders, keys of requests and refunds of one world are nothing in the other', async () => {
  await using s = await startSandboxTest()
  const { t, user, token } = s
  const fake = await t.addFake()
  const real = await buyOne(t, user)
  const play = await buyPlay(t, token)
  await settledPlay(t, token, play.id)
  await pushSms(t, fake, { phone: real.phone })
  for (const verb of ['repeat', 'replace', 'again', 'cancel', 'used', 'finish'] as const) {
    const key = `POST /api/v1/activations/{id}/${verb}` as const
    expect([verb, (await refused(t, key, { id: real.id }, { token })).status]).toEqual([verb, 404])
    expect([verb, (await refused(t, key, { id: play.id }, user)).status]).toEqual([verb, 404])
  }
  const ask = async (path: string) => (await t.fetch(path, { token })).text()
  const field = (query: string) => ask(`/stubs/handler_api.php?api_key=${token}&${query}`)
  expect(await field(`action=getExtraActivation&activationId=${real.id}`)).toBe('WRONG_ACTIVATION_ID')
  expect(await field(`action=reactivate&id=${real.id}`)).toBe('WRONG_ACTIVATION_ID')
  expect(await field(`action=setStatus&status=8&id=${real.id}`)).toBe('NO_ACTIVATION')
  expect(await ask(`/v1/user/check/${real.id}`)).toBe('order not found')
  expect(await ask(`/v1/user/reuse/telegram/${real.phone}`)).toBe('reuse not possible')
  const wish = { service_id: 'tg', country_id: 2 }
  const idempotencyKey = 'the-same-in-both'
  const twice = [
    (await call(t, BUY, wish, { ...user, idempotencyKey })).data,
    (await call(t, BUY, wish, { token, idempotencyKey })).data,
  ]
  expect(twice.map(({ sandbox }) => sandbox ?? false)).toEqual([false, true])
  const before = (await call(t, 'GET /api/user', {}, user)).balance
  expect((await typed(t.database, 'order:refund', String(play.id), ...WHY)).code).toBe(0)
  expect((await call(t, 'GET /api/user', {}, user)).balance).toBe(before)
  expect(await count(t.ctx, 'notifications')).toBe(0)
  await expectBooksRight(t.ctx)
})

test('17.6: a supplier that is bought from by a sandbox key of a service like ours sells nothing', async () => {
  await using platform = await startTestApp()
  await using bank = await startSandboxTest()
  const common = { key: bank.token, currency: 'rub', privateHost: true, callsPerSecond: 100 } as const
  const field = { ...common, dialect: 'ringpost', url: `${bank.t.url}/stubs/handler_api.php` }
  const five = { ...common, url: `${bank.t.url}/v1` }
  const suppliers = [
    await platform.addReal(createResellSupplier, { code: 'field', kind: 'handler-api', settings: field }),
    await platform.addReal(createFiveSimSupplier, { code: 'five', kind: 'five-sim', settings: five }),
  ]
  for (const supplier of suppliers) {
    const [first] = (await supplier.test?.()) ?? []
    expect(first).toMatchObject({ works: false, says: expect.stringContaining('play money') })
    await supplier.stop()
  }
  expect(await count(platform.ctx, 'offers')).toBe(0)
  const buyer = await platform.makeUser()
  expect((await refused(platform, BUY, TELEGRAM, buyer)).body.code).toBe('NO_NUMBERS')
})
