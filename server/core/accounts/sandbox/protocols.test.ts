import { expect, test } from 'vitest'
import { DAY, HOUR } from '#contract/time.ts'
import { sweepDeletions } from '#server/core/privacy/deletion/sweep-deletions.ts'
import { expectBooksRight } from '#test/builders/activation-rows.ts'
import { later } from '#test/builders/rental-rows.ts'
import { call } from '#test/harness/calls.ts'
import { typed, WHY } from '#test/harness/typed.ts'
import {
  buyPlay,
  makeSandboxKey,
  type SandboxTest,
  settledPlay,
  startSandboxTest,
} from '#test/services/sandbox-service.ts'

const reply = async ({ t }: SandboxTest, path: string, token?: string) => {
  const response = await t.fetch(path, token === undefined ? {} : { token })
  const text = await response.text()
  return { says: response.headers.get('sandbox'), text, json: () => JSON.parse(text) as Record<string, unknown> }
}

test('17.6: handler_api answers a sandbox key in its words; the header says it, and so do the objects', async () => {
  await using s = await startSandboxTest({ config: { earlyCancelSeconds: 0 } })
  const ask = (query: string, key = s.token) => reply(s, `/stubs/handler_api.php?api_key=${key}&${query}`)
  expect(await ask('action=getBalance')).toMatchObject({ says: 'true', text: 'ACCESS_BALANCE:10000.00' })
  expect(await ask('action=getBalance')).toMatchObject({ says: 'true', text: 'ACCESS_BALANCE:10000.00' })
  const prices = await ask('action=getPrices')
  expect(prices.json()).toMatchObject({ 0: { tg: { cost: expect.anything() } } })
  expect(prices.json()).not.toHaveProperty('sandbox')
  const real = await s.t.makeApiKey(s.user)
  expect((await ask('action=getPrices', real)).text).not.toContain('tg')
  expect((await ask('action=getPrices')).text).toBe(prices.text)
  expect((await ask('action=getPrices', real)).text).not.toContain('tg')

  const bought = await ask('action=getNumberV2&service=tg&country=0&operator=steady')
  const { activationId, ...number } = bought.json()
  expect(number).toMatchObject({ phoneNumber: expect.stringMatching(/^7000/), sandbox: true })
  await settledPlay(s.t, s.token, Number(activationId))
  expect((await ask(`action=getStatus&id=${activationId}`)).text).toMatch(/^STATUS_OK:\d{5}$/)
  expect((await ask(`action=getStatusV2&id=${activationId}`)).json()).toMatchObject({ sandbox: true })
  const silent = await ask('action=getNumber&service=tg&country=0&operator=silent')
  expect(silent.text).toMatch(/^ACCESS_NUMBER:\d+:7000\d{7}$/)
  const id = silent.text.split(':')[1]
  expect((await ask(`action=setStatus&status=8&id=${id}`)).text).toBe('ACCESS_CANCEL')
  expect(await ask('action=getStatus&id=1')).toMatchObject({ says: 'true', text: 'NO_ACTIVATION' })
  expect((await ask(`action=getStatus&id=${activationId}`, real)).text).toBe('NO_ACTIVATION')
  const rented = await ask('action=getRentNumber&service=full&country=0&rent_time=4')
  expect(rented.json()).toMatchObject({ status: 'success', sandbox: true })
  expect((await ask('action=getBalance', real)).says).toBe(null)
  await expectBooksRight(s.t.ctx)
})

test('17.6: 5sim’s protocol says it in orders and the profile', async () => {
  await using s = await startSandboxTest()
  const ask = (path: string, token = s.token) => reply(s, `/v1${path}`, token)
  const order = (await ask('/user/buy/activation/russia/swift/telegram')).json()
  expect(order).toMatchObject({ phone: expect.stringMatching(/^\+7000/), operator: 'swift', sandbox: true })
  await settledPlay(s.t, s.token, Number(order.id))
  const checked = await ask(`/user/check/${order.id}`)
  expect(checked).toMatchObject({ says: 'true' })
  expect(checked.json()).toMatchObject({ status: 'RECEIVED', sandbox: true })
  expect((await ask('/user/profile')).json()).toMatchObject({ sandbox: true, email: '' })
  expect((await ask('/user/orders?category=activation')).json()).toMatchObject({
    Data: [{ id: order.id, sandbox: true }],
  })
  const real = await s.t.makeApiKey(s.user)
  expect((await ask('/user/profile', real)).json()).not.toHaveProperty('sandbox')
  expect((await ask(`/user/check/${order.id}`, real)).text).toBe('order not found')
  expect((await ask('/guest/products/russia/any', real)).text).not.toContain('telegram')
  expect((await ask('/guest/products/russia/any')).text).toContain('telegram')
  await expectBooksRight(s.t.ctx)
})

test('17.6: staff see the sandbox where they ask for it alone, and cannot change it', async () => {
  await using s = await startSandboxTest()
  const { t, token } = s
  const { id } = await buyPlay(t, token, 'silent')
  const run = async (...args: string[]) => (await typed(t.database, ...args)).out
  expect(await run('order:list')).not.toContain('7000')
  expect(await run('order:list', '--supplier', 'sandbox')).toContain(String(id))
  expect(await run('supplier:list')).not.toContain('sandbox')
  for (const command of [
    ['supplier:pause', 'sandbox', ...WHY],
    ['supplier:remove', 'sandbox', ...WHY],
    ['supplier:set', 'sandbox', 'delayScale=0', ...WHY],
  ]) {
    expect(await typed(t.database, ...command)).toMatchObject({ code: 1, err: 'There is no supplier sandbox\n' })
  }
})

test('17.6: whoever leaves takes the sandbox with them', async () => {
  await using s = await startSandboxTest()
  const { t, user, token } = s
  const { id } = await buyPlay(t, token)
  await settledPlay(t, token, id)
  await call(t, 'POST /api/v1/webhooks', { label: 'Kropotkin', url: 'https://example.test/x' }, { token })
  await makeSandboxKey(t, user)
  await call(t, 'POST /api/v1/privacy/deletion', { give_up: '100.00' }, user)
  await later(t, user, 31 * DAY)
  await sweepDeletions(t.ctx)
  t.clock.advance(2 * HOUR)
  await sweepDeletions(t.ctx)
  const { rows } = await t.ctx.db.query({
    text: `SELECT u.name, u.erased_at IS NOT NULL AS erased, u.blocked_at IS NOT NULL AS blocked, m.body, a.code,
        (SELECT count(*)::integer FROM webhook_endpoints) AS hooks, (SELECT count(*)::integer FROM api_keys) AS keys
      FROM users u JOIN activations a ON a.user_id = u.id JOIN messages m ON m.activation_id = a.id WHERE u.sandbox_of = $1`,
    values: [user.id],
  })
  expect(rows).toEqual([{ name: '', erased: true, blocked: true, body: null, code: null, hooks: 0, keys: 0 }])
  expect((await t.fetch('/api/user', { token })).status).toBe(401)
  await expectBooksRight(t.ctx)
})
