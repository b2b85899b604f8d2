import { expect, test } from 'vitest'
import { KEY_SCOPES } from '#contract/api-key.ts'
import { startSandbox } from '#server/boot/start-sandbox.ts'
import { expectBooksRight } from '#test/builders/activation-rows.ts'
import { call, refused } from '#test/harness/calls.ts'
import { startTestApp, type TestApp, type TestUser } from '#test/harness/harness.ts'

const BUY = 'POST /api/v1/activations'
const TELEGRAM = { service_id: 'tg', country_id: 0 }

async function start(settings: object = { delayScale: 0, services: ['tg', 'wa'] }) {
  const t = await startTestApp()
  await startSandbox(t.ctx, { ...settings })
  const user = await t.makeUser()
  return { t, user, [Symbol.asyncDispose]: () => t[Symbol.asyncDispose]() }
}

async function sandboxKey(t: TestApp, user: TestUser, input: object = {}): Promise<string> {
  const made = { name: 'Play', scopes: [...KEY_SCOPES], sandbox: true, ...input }
  return (await call(t, 'POST /api/v1/keys', made, user)).secret
}

test('a sandbox key buys with play money from the simulator, and every reply says so', async () => {
  await using s = await start()
  const { t, user } = s
  const token = await sandboxKey(t, user)
  const { data } = await call(t, BUY, TELEGRAM, { token })
  expect(data).toMatchObject({ sandbox: true, operator: 'swift', phone: expect.stringMatching(/^7000\d{7}$/) })
  const { data: coded } = await call(t, 'GET /api/v1/activations/{id}', { id: data.id, wait: 30 }, { token })
  expect(coded).toMatchObject({ sandbox: true, state: 'received', code: expect.stringMatching(/^\d{5}$/) })
  const me = await call(t, 'GET /api/user', {}, { token })
  expect(me).toMatchObject({ sandbox: true, email: '', currency: 'rub', held: '0.00' })
  expect(Number(me.balance)).toBeLessThan(10_000)
  expect((await t.fetch('/api/user', { token })).headers.get('sandbox')).toBe('true')
  // The owner has and sees nothing of it.
  const owner = await call(t, 'GET /api/user', {}, user)
  expect(owner).toMatchObject({ balance: '100.00', activations: { count: 0, rent_count: 0 } })
  expect(owner).not.toHaveProperty('sandbox')
  expect((await refused(t, 'GET /api/v1/activations/{id}', { id: data.id }, user)).status).toBe(404)
  expect((await refused(t, BUY, TELEGRAM, user)).body.code).toBe('NO_NUMBERS')
  await expectBooksRight(t.ctx)
})
