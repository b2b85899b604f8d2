import { expect, test } from 'vitest'
import { MINUTE } from '#contract/time.ts'
import { count } from '#test/builders/activation-rows.ts'
import { sentMails } from '#test/builders/mails.ts'
import { call, refused, send } from '#test/harness/calls.ts'
import { beginTestSession, startTestApp, type TestApp } from '#test/harness/harness.ts'
import { deliveriesOf, hook, startHooked } from '#test/services/webhook-service.ts'

const MAKE = 'POST /api/v1/webhooks'
const LIST = 'GET /api/v1/webhooks'
const EDIT = 'PATCH /api/v1/webhooks/{id}'
const GOOD = { label: 'Shop', url: 'https://shop.example/hook' }
const codeOf = async (t: TestApp, key: string, token: string, input: object) => {
  const { response, body } = await send(t, key, input, { token })
  return response.ok ? 'OK' : (body as { code: string }).code
}

test('17.5: bad input is named by its field; no address of a network, no other port, nothing without TLS', async () => {
  await using t = await startTestApp()
  const user = await t.makeUser()
  const wrong: [field: string, input: object][] = [
    ['label', { label: ' ' }],
    ['label', { label: 'x'.repeat(61) }],
    ...[
      'http://shop.example/',
      'https://10.0.0.1/',
      'https://[::1]/',
      'https://2130706433/',
      'https://169.254.169.254/',
      'https://localhost/',
    ]
      .concat('https://shop.example:8443/', 'https://anna:secret@shop.example/', 'ftp://shop.example/', 'nothing')
      .concat(`https://shop.example/${'x'.repeat(1_000)}`)
      .map((url): [string, object] => ['url', { url }]),
    ['events', { events: [] }],
    ['events.0', { events: ['everything'] }],
    ['events', { form: 'field', events: ['rental.ended'] }],
    ['form', { form: 'xml' }],
  ]
  for (const [field, input] of wrong) {
    const { status, body } = await refused(t, MAKE, { ...GOOD, ...input }, user)
    expect([input, status, Object.keys(body.errors ?? {})]).toEqual([input, 422, [field]])
  }
  const bare = await refused(t, MAKE, { ...GOOD, url: 'shop.example/hook' }, user)
  expect(bare.body.errors?.url).toEqual(['Нужен адрес https, доступный из интернета, порт 443'])
  const { data } = await call(t, MAKE, { ...GOOD, events: ['preorder.ended', 'code.received', 'code.received'] }, user)
  expect(data).toMatchObject({ ...GOOD, form: 'standard', events: ['code.received', 'preorder.ended'], on: true })
  const { body } = await refused(t, EDIT, { id: data.id, url: 'https://127.0.0.1/' }, user)
  expect(Object.keys(body.errors ?? {})).toEqual(['url'])
  const renamed = await call(t, EDIT, { id: data.id, label: 'Other', events: ['code.another'] }, user)
  expect(renamed.data).toMatchObject({ label: 'Other', url: GOOD.url, events: ['code.another'] })
})

test('17.5: ten are the most, made at once as well; a repeat by its key is the same one, with the same secret', async () => {
  await using t = await startTestApp()
  const user = await t.makeUser()
  const token = await t.makeApiKey(user)
  const once = { token, idempotencyKey: 'press-1234' }
  const [one, same] = await Promise.all([call(t, MAKE, GOOD, once), call(t, MAKE, GOOD, once)])
  expect(same).toEqual(one)
  expect((await refused(t, MAKE, { ...GOOD, label: 'Other' }, once)).body.code).toBe('IDEMPOTENCY_CONFLICT')
  const another = (await call(t, 'POST /api/v1/keys', { name: 'Other', scopes: ['read', 'buy'] }, user)).secret
  for (const stranger of [another, user.token]) {
    expect((await refused(t, MAKE, GOOD, { ...once, token: stranger })).body.code).toBe('IDEMPOTENCY_CONFLICT')
  }
  const made = await Promise.all(Array.from({ length: 12 }, () => codeOf(t, MAKE, token, GOOD)))
  expect(made.filter((code) => code === 'OK')).toHaveLength(9)
  expect(new Set(made)).toEqual(new Set(['OK', 'TOO_MANY_WEBHOOKS']))
  await call(t, 'DELETE /api/v1/webhooks/{id}', { id: one.data.id }, { token })
  expect(await codeOf(t, MAKE, token, GOOD)).toBe('OK')
  const { secret } = await call(t, 'POST /api/v1/keys', { name: 'Buyer', scopes: ['buy'] }, user)
  expect(await codeOf(t, MAKE, secret, GOOD)).toBe('FORBIDDEN')
})

test('17.5: webhooks of others are 404; an old session shows the password before codes go elsewhere', async () => {
  await using t = await startHooked()
  const [user, stranger] = [await t.makeUser(), await t.makeUser()]
  const { id } = await hook(t, user, { url: 'http://127.0.0.1:9/' })
  const { data } = await call(t, 'POST /api/v1/webhooks/{id}/test', { id }, user)
  const tried: [name: string, input: object][] = [
    [EDIT, { label: 'Mine' }],
    ['DELETE /api/v1/webhooks/{id}', {}],
    ['POST /api/v1/webhooks/{id}/rotate', { overlap_hours: 0 }],
    ['POST /api/v1/webhooks/{id}/test', {}],
    ['GET /api/v1/webhooks/{id}/deliveries', {}],
    ['POST /api/v1/webhooks/{id}/deliveries/{delivery}/replay', { delivery: data.id }],
  ]
  for (const [name, input] of tried) {
    expect([name, await codeOf(t, name, stranger.token, { id, ...input })]).toEqual([name, 'NOT_FOUND'])
  }
  expect((await call(t, LIST, {}, stranger)).data).toEqual([])
  const other = await hook(t, user, { url: 'http://127.0.0.1:9/' })
  const replay = { id: other.id, delivery: data.id }
  expect(await codeOf(t, 'POST /api/v1/webhooks/{id}/deliveries/{delivery}/replay', user.token, replay)).toBe(
    'NOT_FOUND',
  )
  const thief = await beginTestSession(t.ctx, user.id)
  t.clock.advance(6 * MINUTE)
  const lasting: [name: string, input: object][] = [
    [MAKE, GOOD],
    [EDIT, { id, url: 'https://thief.example/' }],
    ['POST /api/v1/webhooks/{id}/rotate', { id, overlap_hours: 0 }],
  ]
  for (const [name, input] of lasting) expect(await codeOf(t, name, thief.token, input)).toBe('CONFIRM_PASSWORD')
  expect(await codeOf(t, MAKE, thief.token, { ...GOOD, url: 'https://10.0.0.1/' })).toBe('INVALID_INPUT')
  expect(await codeOf(t, EDIT, thief.token, { id, url: 'https://10.0.0.1/' })).toBe('INVALID_INPUT')
  await call(t, EDIT, { id, label: 'Other' }, thief)
})

test('17.5: what is off is sent nothing, by no test and no replay; what waited there has ended', async () => {
  await using t = await startHooked()
  const user = await t.makeUser()
  const { id } = await hook(t, user, { url: 'http://127.0.0.1:9/' })
  const { data } = await call(t, 'POST /api/v1/webhooks/{id}/test', { id }, user)
  await call(t, EDIT, { id, on: false }, user)
  expect(await deliveriesOf(t, user, id)).toMatchObject([{ state: 'failed', failure: 'off' }])
  expect(await codeOf(t, 'POST /api/v1/webhooks/{id}/test', user.token, { id })).toBe('WEBHOOK_OFF')
  const replay = { id, delivery: data.id }
  expect(await codeOf(t, 'POST /api/v1/webhooks/{id}/deliveries/{delivery}/replay', user.token, replay)).toBe(
    'WEBHOOK_OFF',
  )
  await call(t, EDIT, { id, on: true }, user)
  const codes = await Promise.all(
    Array.from({ length: 30 }, () => codeOf(t, 'POST /api/v1/webhooks/{id}/test', user.token, { id })),
  )
  expect(codes.filter((code) => code === 'TOO_MANY_REQUESTS').length).toBeGreaterThan(5)
  const { data: page, next } = await call(t, 'GET /api/v1/webhooks/{id}/deliveries', { id, per_page: 5 }, user)
  const rest = { id, before: next ?? 0, per_page: 100, state: 'failed' as const }
  const older = await call(t, 'GET /api/v1/webhooks/{id}/deliveries', rest, user)
  expect([page.length, next, older.data.map((one) => one.id), older.next]).toEqual([5, page[4]?.id, [data.id], null])
  await call(t, 'DELETE /api/v1/webhooks/{id}', { id }, user)
  expect(await count(t.ctx, 'webhook_deliveries')).toBe(0)
})

test('17.5: a stolen key leaves nothing behind: it changes no address and no secret of what it has not made', async () => {
  await using t = await startTestApp()
  const user = await t.makeUser()
  const own = await hook(t, user, { url: GOOD.url })
  const makeKey = async (name: string) => {
    const made = await call(t, 'POST /api/v1/keys', { name, scopes: ['read', 'buy'] }, user)
    return { id: made.data.id, token: made.secret }
  }
  const [thief, other] = [await makeKey('Thief'), await makeKey('Other')]
  const { data: theirs } = await call(t, MAKE, GOOD, { token: other.token })
  for (const { id } of [own, theirs]) {
    expect(await codeOf(t, EDIT, thief.token, { id, url: 'https://thief.example/' })).toBe('FORBIDDEN')
    expect(await codeOf(t, 'POST /api/v1/webhooks/{id}/rotate', thief.token, { id, overlap_hours: 0 })).toBe(
      'FORBIDDEN',
    )
    for (const edit of [{ label: 'Renamed' }, { on: false }, { events: ['preorder.ended' as const] }]) {
      expect(await codeOf(t, EDIT, thief.token, { id, ...edit })).toBe('FORBIDDEN')
    }
    expect(await codeOf(t, 'DELETE /api/v1/webhooks/{id}', thief.token, { id })).toBe('FORBIDDEN')
  }
  expect(await codeOf(t, EDIT, other.token, { id: theirs.id, url: 'https://moved.example/' })).toBe('OK')
  expect(await codeOf(t, EDIT, user.token, { id: theirs.id, url: GOOD.url })).toBe('OK')
  const stranger = await t.makeApiKey(await t.makeUser())
  expect(await codeOf(t, EDIT, stranger, { id: own.id, url: GOOD.url })).toBe('NOT_FOUND')
  expect((await call(t, LIST, {}, user)).data.map(({ url }) => url)).toEqual([GOOD.url, GOOD.url])
})

test('17.5: the owner is told by mail of a new webhook and of another address, whoever made it; so that has a limit', async () => {
  await using t = await startTestApp()
  const user = await t.makeUser()
  const token = await t.makeApiKey(user)
  const once = { token, idempotencyKey: 'press-1234' }
  const { data } = await call(t, MAKE, { ...GOOD, url: 'https://shop.example/hook?token=secret' }, once)
  await call(t, MAKE, { ...GOOD, url: 'https://shop.example/hook?token=secret' }, once)
  const edits = [{ label: 'Other' }, { url: data.url, on: true }, { url: 'https://other.example/' }]
  for (const edit of edits) await call(t, EDIT, { id: data.id, ...edit }, user)
  const told = (await sentMails(t)).map(({ to, mail }) => ({ to, mail }))
  const mail = (label: string, host: string, moved: boolean) => ({
    to: user.email,
    mail: { kind: 'webhook-made', label, host, moved },
  })
  expect(told).toEqual([mail('Shop', 'shop.example', false), mail('Other', 'other.example', true)])
  const codes: string[] = []
  for (let turn = 0; turn < 30; turn += 1) {
    codes.push(await codeOf(t, EDIT, user.token, { id: data.id, url: `https://other.example/${turn}` }))
  }
  expect([codes.indexOf('TOO_MANY_REQUESTS'), new Set(codes)]).toEqual([28, new Set(['OK', 'TOO_MANY_REQUESTS'])])
  expect(await codeOf(t, EDIT, user.token, { id: data.id, label: 'Third' })).toBe('OK')
})
