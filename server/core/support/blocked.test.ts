import { expect, test } from 'vitest'
import { setBlocked } from '#server/core/accounts/users/queries.ts'
import { calls } from '#server/programs/app.ts'
import { sentMails } from '#test/builders/mails.ts'
import { makeStaff } from '#test/builders/staff.ts'
import { call, refused, send } from '#test/harness/calls.ts'
import { startTestApp, type TestApp, type TestUser } from '#test/harness/harness.ts'

const OPEN = 'POST /api/v1/support/tickets'
const REPLY = 'POST /api/v1/support/tickets/{id}/messages'
const CLOSE = 'POST /api/v1/support/tickets/{id}/close'
const WISH = { category: 'account', subject: 'Why am I blocked?', text: 'Please tell me' } as const

/** The API calls open to blocked users. Add new calls to this list, or make them refuse blocked users. */
const OPEN_TO_BLOCKED = [
  'GET /api/user',
  'GET /api/v1/support/subjects',
  'GET /api/v1/support/tickets',
  'GET /api/v1/support/tickets/{id}',
  'POST /api/v1/support/tickets',
  'POST /api/v1/support/tickets/{id}/close',
  'POST /api/v1/support/tickets/{id}/messages',
  'POST /api/v1/support/tickets/{id}/read',
]

async function block(t: TestApp, { id }: TestUser): Promise<void> {
  await setBlocked(t.ctx.db, { userId: id, blockedAt: t.clock.now() })
}

test('a blocked person asks support why, in one ticket at a time, and has the answer by mail', async () => {
  await using t = await startTestApp()
  const [user, staff] = [await t.makeUser(), await makeStaff(t, 'support')]
  await block(t, user)
  const signedIn = await call(t, 'POST /api/login', { email: user.email, password: user.password })
  expect(signedIn.user).toMatchObject({ id: user.id, blocked: true })
  const mine = { token: signedIn.token, locale: 'en' as const }

  const both = await Promise.all([send(t, OPEN, WISH, mine), send(t, OPEN, WISH, mine)])
  expect(both.map(({ response }) => response.status).sort()).toEqual([201, 409])
  expect(both.find(({ response }) => !response.ok)?.body).toMatchObject({
    code: 'TOO_MANY_TICKETS',
    data: { limit: 1 },
  })
  const { tickets } = await call(t, 'GET /api/v1/support/tickets', {}, mine)
  const id = tickets.data[0]?.id ?? 0
  const upload = await t.fetch('/api/v1/support/files', {
    method: 'POST',
    token: mine.token,
    headers: { 'content-type': 'application/pdf' },
    body: '%PDF-1.4\n%%EOF\n',
  })
  expect(upload.status).toBe(201)
  await call(t, REPLY, { id, text: 'It is urgent' }, mine)
  const answer = { id, kind: 'staff' as const, text: 'You sold codes', seen: Number.MAX_SAFE_INTEGER }
  await call(t, 'POST /api/v1/staff/tickets/{id}/messages', answer, staff)
  await t.runJobs()
  expect(await sentMails(t)).toMatchObject([{ to: user.email, mail: { kind: 'support-answer', ticket: id } }])
  const { data } = await call(t, 'GET /api/v1/support/tickets/{id}', { id }, mine)
  expect(data.messages.map(({ text }) => text)).toEqual(['Please tell me', 'It is urgent', 'You sold codes'])
  await call(t, CLOSE, { id }, mine)
  const second = (await call(t, OPEN, WISH, mine)).data.id
  expect((await refused(t, REPLY, { id, text: 'And?' }, mine)).body.code).toBe('TOO_MANY_TICKETS')
  await call(t, REPLY, { id: second, text: 'And?' }, mine)
})

test('every other door stays closed to a blocked person: calls, live news, pages of others, programs', async () => {
  await using t = await startTestApp()
  const user = await t.makeUser()
  const key = await t.makeApiKey(user)
  await block(t, user)
  const open = calls.filter(({ auth, admitsBlocked }) => auth === 'required' && admitsBlocked === true)
  expect(open.map(({ key: name }) => name).toSorted()).toEqual(OPEN_TO_BLOCKED)
  for (const { key: name, auth, admitsBlocked } of calls) {
    if (auth !== 'required' || admitsBlocked === true) continue
    const [method = '', path = ''] = name.split(' ')
    const body = method === 'GET' ? {} : { headers: { 'content-type': 'application/json' }, body: '{}' }
    const response = await t.fetch(path.replaceAll(/\{\w+\}/g, '1'), { method, token: user.token, ...body })
    const { code } = (await response.json()) as { code: string }
    expect({ name, code }).toEqual({ name, code: 'BLOCKED' })
  }
  const channel = new URLSearchParams({ socket_id: '1.1', channel_name: `private-user.${user.id}` })
  const live = await t.fetch('/broadcasting/auth', { method: 'POST', token: user.token, body: channel })
  expect(live.status).toBe(403)
  expect((await t.fetch('/api/services', { token: user.token })).status).toBe(200)
  expect((await refused(t, 'GET /api/user', {}, { token: key })).status).toBe(401)
  await t.ctx.db.query({
    text: `UPDATE users SET email = NULL, name = '', password_hash = NULL, settings = '{}', utm = '{}', erased_at = now() WHERE id = $1`,
    values: [user.id],
  })
  expect((await refused(t, 'GET /api/v1/support/tickets', {}, user)).body.code).toBe('UNAUTHENTICATED')
})
