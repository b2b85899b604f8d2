import { expect, test } from 'vitest'
import { KEY_SCOPES } from '#contract/api-key.ts'
import { MINUTE } from '#contract/time.ts'
import type { Query } from '#server/house/db/pool.ts'
import { sentMails } from '#test/builders/mails.ts'
import { call, send } from '#test/harness/calls.ts'
import { beginTestSession, startTestApp, type TestApp, type TestUser } from '#test/harness/harness.ts'
import { TestSocket, welcomed } from '#test/services/realtime-service.ts'

const MAKE = 'POST /api/v1/keys'
const LIST = 'GET /api/v1/keys'
const EDIT = 'PATCH /api/v1/keys/{id}'
const REVOKE = 'DELETE /api/v1/keys/{id}'
const ALL = { name: 'Shop', scopes: [...KEY_SCOPES] }

async function make(t: TestApp, user: TestUser, input: object = {}) {
  const { data, secret } = await call(t, MAKE, { ...ALL, ...input }, user)
  return { ...data, secret }
}
const codeOf = async (t: TestApp, key: string, token: string, input: object = {}) => {
  const { response, body } = await send(t, key, input, { token })
  return response.ok ? 'OK' : (body as { code: string }).code
}
const balance = async (t: TestApp, secret: string, headers: Record<string, string> = {}) =>
  (await t.fetch('/stubs/handler_api.php?action=getBalance', { headers: { 'x-api-key': secret, ...headers } })).text()

const fresh = (t: TestApp, user: TestUser) => beginTestSession(t.ctx, user.id)

async function openSocket(t: TestApp, user: TestUser, secret: string) {
  const socket = new TestSocket(`${t.url.replace('http', 'ws')}/app/ringpost?protocol=7`)
  const channel = `private-user.${user.id}`
  const signed = await t.fetch('/broadcasting/auth', {
    method: 'POST',
    token: secret,
    body: new URLSearchParams({ socket_id: await welcomed(socket), channel_name: channel }),
  })
  const data = { ...((await signed.json()) as { auth: string }), channel }
  expect(await socket.ask({ event: 'pusher:subscribe', data })).toContain('subscription_succeeded')
  return socket
}

test('a key is changed without a new secret: more asks for the password and is told of, less holds at once, in sockets too', async () => {
  await using t = await startTestApp({ config: { trustedProxies: ['loopback'] } })
  const user = await t.makeUser()
  const key = await make(t, user, { scopes: ['read'], addresses: ['203.0.113.0/24'], day_limit: '50' })
  const from = { 'x-forwarded-for': '203.0.113.9' }
  expect(await balance(t, key.secret, from)).toBe('ACCESS_BALANCE:100.00')
  const late = await fresh(t, user)
  t.clock.advance(6 * MINUTE)
  const edit = (input: object) => codeOf(t, EDIT, late.token, { id: key.id, ...input })
  const mails = async () => (await sentMails(t)).map(({ mail }) => mail.kind)
  for (const input of [{ name: 'Shelf' }, { addresses: ['203.0.113.8/29'] }, { day_limit: '40' }, {}]) {
    expect([input, await edit(input)]).toEqual([input, 'OK'])
  }
  const wider = [
    { scopes: ['read', 'buy'] },
    { scopes: ['money'] },
    { addresses: [] },
    { addresses: ['203.0.113.0/24'] },
    { addresses: ['203.0.113.9', '2001:db8::1'] },
    { day_limit: '40.01' },
    { day_limit: null },
  ]
  for (const input of wider) expect([input, await edit(input)]).toEqual([input, 'CONFIRM_PASSWORD'])
  const wrong = [{ name: ' ' }, { scopes: [] }, { addresses: ['10.0.0.0/40'] }, { day_limit: '0' }, { secret: 'x' }]
  for (const input of wrong) expect([input, await edit(input)]).toEqual([input, 'INVALID_INPUT'])
  expect(await mails()).toEqual(['api-key-made'])
  expect(await balance(t, key.secret, { 'x-forwarded-for': '203.0.113.1' })).toBe('BAD_KEY')

  await call(t, 'POST /api/v1/user/confirm-password', { password: user.password }, late)
  const { data } = await call(t, EDIT, { id: key.id, addresses: [], day_limit: null, scopes: ['read', 'buy'] }, late)
  expect(data).toMatchObject({
    name: 'Shelf',
    addresses: [],
    day_limit: null,
    scopes: ['read', 'buy'],
    left_today: null,
  })
  expect(await mails()).toEqual(['api-key-made', 'api-key-widened'])
  using first = await openSocket(t, user, key.secret)
  await edit({ name: 'Shop', day_limit: '10' })
  expect(await edit({ addresses: ['127.0.0.1'] })).toBe('OK')
  expect((await first.closed).code).toBe(4203)
  using second = await openSocket(t, user, key.secret)
  await edit({ scopes: ['buy'] })
  expect((await second.closed).code).toBe(4203)
  await expect(openSocket(t, user, key.secret)).rejects.toThrow()
  expect(await balance(t, key.secret)).toBe('BAD_KEY')
  await call(t, REVOKE, { id: key.id }, late)
  expect(await edit({ name: 'Late' })).toBe('NOT_FOUND')

  const { rows } = await t.ctx.db.query<{ actor: string; subject: string; detail: { after: unknown } }>({
    text: `SELECT actor, subject, detail FROM audit_log WHERE command = 'key:change' ORDER BY id DESC LIMIT 1`,
  })
  expect(rows[0]).toMatchObject({
    actor: `user:${user.id}`,
    subject: `user:${user.id}`,
    detail: {
      key: key.id,
      before: { scopes: ['read', 'buy'], addresses: 1 },
      after: { scopes: ['buy'], addresses: 1, day_limit: '10.00' },
    },
  })
})

test('of two changes of a key at once neither undoes the confirmation that the other needs', async () => {
  await using t = await startTestApp()
  const user = await t.makeUser()
  const key = await make(t, user, { scopes: ['read', 'buy'], day_limit: '50' })
  const late = await fresh(t, user)
  t.clock.advance(6 * MINUTE)
  const query = t.ctx.db.query.bind(t.ctx.db)
  const codes: string[] = []
  t.ctx.db.query = async <Row>(given: Query) => {
    const answer = await query<Row>(given)
    if (given.name === 'api-key-rules' && codes.length === 0) {
      codes.push('judged')
      codes.push(await codeOf(t, EDIT, late.token, { id: key.id, day_limit: '10' }))
    }
    return answer
  }
  codes.push(await codeOf(t, EDIT, late.token, { id: key.id, day_limit: '40' }))
  t.ctx.db.query = query
  expect(codes).toEqual(['judged', 'OK', 'CONFIRM_PASSWORD'])
  expect((await call(t, LIST, {}, user)).data[0]).toMatchObject({ day_limit: '10.00', left_today: '10.00' })
})
