import { expect, test } from 'vitest'
import { KEY_SCOPES, type KeyScope } from '#contract/api-key.ts'
import { DAY, HOUR, MINUTE } from '#contract/time.ts'
import { splitKey } from '#server/house/http/call.ts'
import { calls } from '#server/programs/app.ts'
import { sentMails } from '#test/builders/mails.ts'
import { call, refused, send } from '#test/harness/calls.ts'
import { beginTestSession, startTestApp, type TestApp, type TestUser } from '#test/harness/harness.ts'
import { TestSocket, welcomed } from '#test/services/realtime-service.ts'
import { closeStaleSockets } from './close-stale-sockets.ts'
import { sweepOverlaps } from './end-overlaps.ts'

const MAKE = 'POST /api/v1/keys'
const LIST = 'GET /api/v1/keys'
const ROTATE = 'POST /api/v1/keys/{id}/rotate'
const EDIT = 'PATCH /api/v1/keys/{id}'
const REVOKE = 'DELETE /api/v1/keys/{id}'
const CALLS = 'GET /api/v1/keys/{id}/calls'
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

test('1.11: a person makes, lists and revokes keys; the secret is shown once and stands nowhere', async () => {
  await using t = await startTestApp()
  const user = await t.makeUser()
  const key = await make(t, user, { addresses: [' 127.0.0.0/8 ', '::1'], day_limit: '12.5' })
  expect(key.secret).toMatch(/^[A-Za-z0-9]{32}$/)
  expect(await balance(t, key.secret)).toBe('ACCESS_BALANCE:100.00')
  const other = await make(t, user, { name: 'Reader', scopes: ['read', 'read'] })
  const { data } = await call(t, LIST, {}, user)
  expect(data.map(({ name, scopes, addresses, day_limit }) => ({ name, scopes, addresses, day_limit }))).toEqual([
    { name: 'Reader', scopes: ['read'], addresses: [], day_limit: null },
    { name: 'Shop', scopes: ['read', 'buy', 'money'], addresses: ['127.0.0.0/8', '::1'], day_limit: '12.50' },
  ])
  const told = (await sentMails(t)).map(({ to, mail }) => ({ to, mail }))
  expect(told).toEqual(
    ['Shop', 'Reader'].map((name) => ({ to: user.email, mail: { kind: 'api-key-made', name, renewed: false } })),
  )
  expect(await call(t, REVOKE, { id: other.id }, user)).toEqual({ status: true })
  expect((await refused(t, REVOKE, { id: other.id }, user)).status).toBe(404)
  expect([await balance(t, other.secret), await balance(t, key.secret)]).toEqual(['BAD_KEY', 'ACCESS_BALANCE:100.00'])

  await call(t, CALLS, { id: key.id }, user)
  const { rows } = await t.ctx.db.query<{ dump: string }>({
    text: `SELECT query_to_xml('SELECT * FROM api_keys', true, false, '')::text
      || query_to_xml('SELECT * FROM api_key_calls', true, false, '')::text
      || query_to_xml('SELECT * FROM graphile_worker.jobs', true, false, '')::text AS dump`,
  })
  const written = `${rows[0]?.dump}${JSON.stringify(t.log.lines)}`
  expect(written).toContain('getBalance')
  for (const { secret } of [key, other]) expect(written).not.toContain(secret)
})

test('bad input of a key is named by its field, and twenty keys are the most, made at once as well', async () => {
  await using t = await startTestApp()
  const user = await t.makeUser()
  const many = Array.from({ length: 21 }, (_, place) => `10.0.0.${place}`)
  const wrong: [field: string, input: object][] = [
    ['name', { name: ' ' }],
    ['name', { name: 'x'.repeat(61) }],
    ['name', { name: 'a\u0007b' }],
    ['scopes', { scopes: [] }],
    ['scopes.0', { scopes: ['all'] }],
    ['addresses.0', { addresses: ['10.0.0.0/40'] }],
    ['addresses', { addresses: many }],
    ['day_limit', { day_limit: '0' }],
    ['day_limit', { day_limit: '-5' }],
    ['day_limit', { day_limit: 'lots' }],
  ]
  for (const [field, input] of wrong) {
    const { status, body } = await refused(t, MAKE, { ...ALL, ...input }, user)
    expect([input, status, Object.keys(body.errors ?? {})]).toEqual([input, 422, [field]])
  }
  const made = await Promise.all(Array.from({ length: 24 }, () => codeOf(t, MAKE, user.token, ALL)))
  expect(made.filter((code) => code === 'OK')).toHaveLength(20)
  expect(new Set(made)).toEqual(new Set(['OK', 'TOO_MANY_KEYS']))
  const [first] = (await call(t, LIST, {}, user)).data
  await call(t, REVOKE, { id: first?.id ?? 0 }, user)
  expect(await codeOf(t, MAKE, user.token, ALL)).toBe('OK')
})

test('P-5: keys of others are 404, and a session of a while ago shows the password first', async () => {
  await using t = await startTestApp()
  const [user, stranger] = [await t.makeUser(), await t.makeUser()]
  const key = await make(t, user)
  const tried: [name: string, input: object][] = [
    [REVOKE, {}],
    [ROTATE, { overlap_hours: 0 }],
    [CALLS, {}],
    [EDIT, { name: 'Mine' }],
  ]
  for (const [name, input] of tried) {
    for (const id of [key.id, 2_000_000_000]) {
      expect([name, await codeOf(t, name, stranger.token, { id, ...input })]).toEqual([name, 'NOT_FOUND'])
    }
  }
  expect((await call(t, LIST, {}, stranger)).data).toEqual([])
  const thief = await beginTestSession(t.ctx, user.id)
  t.clock.advance(6 * MINUTE)
  expect(await codeOf(t, MAKE, thief.token, ALL)).toBe('CONFIRM_PASSWORD')
  for (const [name, input] of tried.slice(0, 2)) {
    expect(await codeOf(t, name, thief.token, { id: key.id, ...input })).toBe('CONFIRM_PASSWORD')
  }
  await call(t, 'POST /api/v1/user/confirm-password', { password: user.password }, thief)
  await call(t, REVOKE, { id: key.id }, thief)
})

test('P-5: a key makes the calls of its scopes alone, whatever the call', async () => {
  await using t = await startTestApp()
  const user = await t.makeUser({ balance: '0' })
  const secrets = new Map<KeyScope, string>()
  for (const scope of KEY_SCOPES) secrets.set(scope, (await make(t, user, { scopes: [scope] })).secret)
  for (const { key, scope, auth } of calls) {
    if (auth !== 'required') continue
    const path = Object.fromEntries([...splitKey(key).path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => [name, '1']))
    for (const [has, token] of secrets) {
      const code = await codeOf(t, key, token, path)
      const refusal = key.includes(' /api/v1/staff/') ? 'NOT_FOUND' : 'FORBIDDEN'
      expect({ key, has, isClosed: code === refusal }).toEqual({ key, has, isClosed: scope !== has })
    }
  }
  const { body: lacking } = await refused(
    t,
    'POST /api/v1/vouchers',
    { code: 'GIFT-2026' },
    { token: secrets.get('read') },
  )
  expect(lacking.message).toContain('нужно право money')
  const { body: closed } = await refused(t, LIST, {}, { token: secrets.get('read') })
  expect(closed.message).toMatch(/^Ключом API этот вызов не выполнить/)
  const link = { provider: 'google', purpose: 'link' }
  expect(await codeOf(t, 'GET /api/auth/{provider}/redirect', secrets.get('money') ?? '', link)).toBe('FORBIDDEN')
  const ask = async (scope: KeyScope, query: string) =>
    (await t.fetch(`/stubs/handler_api.php?${query}&api_key=${secrets.get(scope)}`)).text()
  for (const action of ['getBalance', 'getStatus&id=1', 'getActiveActivations', 'getPrices']) {
    expect([action, await ask('buy', `action=${action}`)]).toEqual([action, 'BAD_KEY'])
    expect([action, await ask('read', `action=${action}`)]).not.toEqual([action, 'BAD_KEY'])
  }
  for (const action of ['getNumber&service=tg&country=2', 'setStatus&id=1&status=8', 'cancelActivation&id=1']) {
    for (const scope of ['read', 'money'] as const) expect(await ask(scope, `action=${action}`)).toBe('BAD_KEY')
    expect(await ask('buy', `action=${action}`)).not.toBe('BAD_KEY')
  }
  expect(await ask('money', 'action=getCountries')).not.toBe('BAD_KEY')
})

test('a key works from its addresses alone; elsewhere it is an unknown key, and only the owner reads why', async () => {
  await using t = await startTestApp({ config: { trustedProxies: ['loopback'] } })
  const user = await t.makeUser()
  const key = await make(t, user, { addresses: ['203.0.113.0/24', '2001:db8::/32'] })
  const from = (address: string) => balance(t, key.secret, { 'x-forwarded-for': address })
  expect([await from('203.0.113.9'), await from('2001:db8::9')]).toEqual([
    'ACCESS_BALANCE:100.00',
    'ACCESS_BALANCE:100.00',
  ])
  expect([await from('203.0.114.9'), await from('2001:db9::9'), await from('')]).toEqual([
    'BAD_KEY',
    'BAD_KEY',
    'BAD_KEY',
  ])
  const unknown = await refused(t, 'GET /api/user', {}, { token: 'x'.repeat(32) })
  const elsewhere = await refused(t, 'GET /api/user', {}, { token: key.secret })
  expect(elsewhere).toEqual(unknown)
  expect(unknown.body.message).toMatch(/^Ключ API не подошёл/)
  for (const authorization of ['Bearer ', 'Bearer', key.secret, `Token ${key.secret}`]) {
    const reply = await t.fetch('/api/user', { headers: { authorization } })
    expect([authorization, reply.status, (await reply.json()).message]).toEqual([
      authorization,
      401,
      unknown.body.message,
    ])
  }
  const { data } = await call(t, CALLS, { id: key.id }, user)
  expect(data.map(({ call: name, result, address }) => [name, result, address]).toSorted()).toEqual([
    ['GET /api/user', 'ADDRESS_REFUSED', '127.0.0.1'],
    ['getBalance', 'ACCESS_BALANCE', '2001:db8::9'],
    ['getBalance', 'ACCESS_BALANCE', '203.0.113.9'],
    ['getBalance', 'ADDRESS_REFUSED', '127.0.0.1'],
    ['getBalance', 'ADDRESS_REFUSED', '2001:db9::9'],
    ['getBalance', 'ADDRESS_REFUSED', '203.0.114.9'],
  ])
  const replies = await Promise.all(Array.from({ length: 61 }, () => from('198.51.100.1')))
  expect(replies).toContain('RATE_LIMIT')
  expect(await from('203.0.113.9')).toBe('ACCESS_BALANCE:100.00')
})

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

test('1.11: a renewed key has both secrets for the overlap, and its sockets of before end with it', async () => {
  await using t = await startTestApp()
  const user = await t.makeUser()
  const key = await make(t, user)
  using before = await openSocket(t, user, key.secret)
  const { secret, data } = await call(t, ROTATE, { id: key.id, overlap_hours: 24 }, user)
  expect(data).toMatchObject({ id: key.id, previous_until: new Date(t.clock.now().getTime() + DAY).toISOString() })
  expect([await balance(t, secret), await balance(t, key.secret)]).toEqual([
    'ACCESS_BALANCE:100.00',
    'ACCESS_BALANCE:100.00',
  ])
  using after = await openSocket(t, user, secret)
  t.clock.advance(24 * HOUR)
  expect([await balance(t, secret), await balance(t, key.secret)]).toEqual(['ACCESS_BALANCE:100.00', 'BAD_KEY'])
  await sweepOverlaps(t.ctx)
  expect((await before.closed).code).toBe(4009)
  await call(t, 'POST /api/v1/user/confirm-password', { password: user.password }, await fresh(t, user))
  const session = await fresh(t, user)
  const third = await call(t, ROTATE, { id: key.id, overlap_hours: 0 }, session)
  expect((await after.closed).code).toBe(4009)
  expect([await balance(t, third.secret), await balance(t, secret)]).toEqual(['ACCESS_BALANCE:100.00', 'BAD_KEY'])
  using last = await openSocket(t, user, third.secret)
  for (const overlap of [-1, 169, 1.5, '1']) {
    expect(await codeOf(t, ROTATE, session.token, { id: key.id, overlap_hours: overlap })).toBe('INVALID_INPUT')
  }
  await call(t, REVOKE, { id: key.id }, session)
  expect((await last.closed).code).toBe(4009)
})

test('17.8: a change of a key whose answer was lost closes its sockets at the next look', async () => {
  await using t = await startTestApp()
  const user = await t.makeUser()
  const names = ['revoked', 'narrowed', 'renewed', 'untouched']
  const keys = await Promise.all(names.map((name) => make(t, user, { name })))
  const [revoked, narrowed, renewed, untouched] = await Promise.all(
    keys.map(({ secret }) => openSocket(t, user, secret)),
  )
  const query = t.ctx.db.query.bind(t.ctx.db)
  t.ctx.db.query = async (given) => {
    const answer = await query(given)
    // The pg driver throws this error if PostgreSQL commits but the reply is lost.
    if (given.name === 'api-key-revoke') throw new Error('Query read timeout')
    return answer as never
  }
  expect((await refused(t, REVOKE, { id: keys[0]?.id }, user)).status).toBe(503)
  t.ctx.db.query = query
  await query({ text: `UPDATE api_keys SET rules_version = rules_version + 1 WHERE name = 'narrowed'` })
  await query({ text: `UPDATE api_keys SET key_hash = sha256('other') WHERE name = 'renewed'` })
  expect(t.ctx.realtime.stats().sockets).toBe(4)
  await closeStaleSockets(t.ctx)
  const closed = await Promise.all([revoked, narrowed, renewed].map((socket) => socket?.closed))
  expect(closed.map((one) => one?.code)).toEqual([4009, 4203, 4009])
  expect(await untouched?.ask({ event: 'pusher:ping', data: {} })).toContain('pusher:pong')
  for (const socket of [revoked, narrowed, renewed, untouched]) socket?.[Symbol.dispose]()
})

const fresh = (t: TestApp, user: TestUser) => beginTestSession(t.ctx, user.id)

test('a revoked key is refused at once, also where it was looked up a moment before', async () => {
  await using t = await startTestApp()
  const user = await t.makeUser()
  const key = await make(t, user)
  expect(await balance(t, key.secret)).toBe('ACCESS_BALANCE:100.00')
  await call(t, REVOKE, { id: key.id }, user)
  expect(await balance(t, key.secret)).toBe('BAD_KEY')
  const [second] = [await make(t, user)]
  const { promise: hasRead, resolve: read } = Promise.withResolvers<void>()
  const { promise: mayAnswer, resolve: answer } = Promise.withResolvers<void>()
  const query = t.ctx.db.query.bind(t.ctx.db)
  t.ctx.db.query = async (given) => {
    const found = await query(given)
    if (given.name === 'api-key-owner') {
      read()
      await mayAnswer
    }
    return found as never
  }
  const early = balance(t, second.secret)
  await hasRead
  await call(t, REVOKE, { id: second.id }, user)
  answer()
  await early
  t.ctx.db.query = query
  expect(await balance(t, second.secret)).toBe('BAD_KEY')
})
