import { expect, test } from 'vitest'
import { DAY, HOUR, MINUTE } from '#contract/time.ts'
import { sweepExpired } from '#server/core/numbers/activations/sweep.ts'
import { sweepDeletions } from '#server/core/privacy/deletion/sweep-deletions.ts'
import { buyOne, expectBooksRight } from '#test/builders/activation-rows.ts'
import { codeFor, form, GOOD_PASSWORD } from '#test/builders/registration.ts'
import { call, refused, send } from '#test/harness/calls.ts'
import { openCookieJar } from '#test/harness/cookie-jar.ts'
import { startTestApp, type TestApp } from '#test/harness/harness.ts'

const GUEST = 'POST /api/guest'
const ANNA = 'anna@example.test'

const pass = async (t: TestApp, ms: number) => {
  t.clock.advance(ms)
  await sweepExpired(t.ctx)
  await sweepDeletions(t.ctx)
}

test('a guest buys with play money; registering keeps the account, its number and its money', async () => {
  await using t = await startTestApp()
  await t.addFake()
  const browser = openCookieJar(t)
  const { token, user } = await browser.call(GUEST, {})
  const endsAt = new Date(t.clock.now().getTime() + DAY).toISOString()
  expect(user).toMatchObject({ email: '', guest: true, deletion_at: endsAt, balance: '100.00' })
  const { id } = await buyOne(t, { token })
  const { balance } = await call(t, 'GET /api/user', {}, { token })

  await browser.call('POST /api/register', form(ANNA))
  const kept = await browser.call('POST /api/verify-email', { email: ANNA, code: await codeFor(t, ANNA) })
  expect(kept.user).toMatchObject({ id: user.id, email: ANNA, balance })
  expect(kept.user).not.toHaveProperty('guest')
  expect(kept.user).not.toHaveProperty('deletion_at')
  expect((await send(t, 'GET /api/user', {}, { token })).response.status).toBe(401)
  const { data } = await call(t, 'GET /api/v1/activations/{id}', { id }, { token: kept.token })
  expect(data.id).toBe(id)
  await pass(t, 3 * DAY)
  expect((await call(t, 'POST /api/login', { email: ANNA, password: GOOD_PASSWORD })).user.id).toBe(user.id)
  await expectBooksRight(t.ctx)
})

test('a guest who does not register is nobody after a day, whatever the guest asks for', async () => {
  await using t = await startTestApp()
  await t.addFake()
  const { token, user } = await call(t, GUEST, {})
  await buyOne(t, { token })
  expect((await refused(t, 'DELETE /api/v1/privacy/deletion', {}, { token })).status).toBe(404)
  await call(t, 'POST /api/v1/privacy/deletion', {}, { token })
  const state = async () => {
    const { rows } = await t.ctx.db.query({
      text: `SELECT state, erased_at IS NOT NULL AS erased FROM account_deletions d JOIN users u ON u.id = d.user_id
        WHERE u.id = $1`,
      values: [user.id],
    })
    return rows
  }
  await pass(t, DAY - MINUTE)
  expect(await state()).toEqual([{ state: 'waiting', erased: false }])
  await pass(t, 2 * MINUTE)
  await pass(t, 2 * HOUR)
  expect(await state()).toEqual([{ state: 'erased', erased: true }])
  await expectBooksRight(t.ctx)
})

test('another browser’s registration, and one for a taken address, leave the guest as it is', async () => {
  await using t = await startTestApp()
  const [guests, others] = [openCookieJar(t), openCookieJar(t)]
  const { user } = await guests.call(GUEST, {})
  await others.call('POST /api/register', form(ANNA))
  await guests.call(
    'POST /api/register',
    form(ANNA, { password: 'another good password', password_confirmation: 'another good password' }),
  )
  const ofGuest = await codeFor(t, ANNA)
  await t.ctx.db.query({
    text: 'INSERT INTO users (email, name, role, zone, locale, created_at) VALUES ($1, $2, $3, $4, $5, now())',
    values: [ANNA, '', 'user', 'ru', 'ru'],
  })
  expect(
    (await guests.refused('POST /api/verify-email', { email: ANNA, code: ofGuest, password: 'another good password' }))
      .body.code,
  ).toMatch(/CODE_EXPIRED|WRONG_CODE/)
  const { rows } = await t.ctx.db.query({
    text: 'SELECT u.email, d.state FROM users u JOIN account_deletions d ON d.user_id = u.id WHERE u.id = $1',
    values: [user.id],
  })
  expect(rows).toEqual([{ email: null, state: 'waiting' }])
})

test('a second press finds the same guest and costs no limit; a browser that is signed in gets none', async () => {
  await using t = await startTestApp()
  const browser = openCookieJar(t)
  const { user } = await browser.call(GUEST, {})
  for (let press = 0; press < 5; press += 1) expect((await browser.call(GUEST, {})).user.id).toBe(user.id)
  const sessions = { text: 'SELECT count(*)::int AS count FROM sessions WHERE user_id = $1', values: [user.id] }
  expect((await t.ctx.db.query(sessions)).rows).toEqual([{ count: 1 }])
  const member = openCookieJar(t)
  const { email, password } = await t.makeUser()
  const { token } = await member.call('POST /api/login', { email, password })
  expect((await member.refused(GUEST, {})).body.code).toBe('FORBIDDEN')
  expect(await call(t, 'GET /api/user', {}, { token })).toMatchObject({ email })
})

test('a guest who has agreed to the documents already registers, with the campaign that came first or then', async () => {
  await using t = await startTestApp()
  await t.ctx.db.query({
    text: `INSERT INTO document_versions (document, version, digest, since, is_current)
      VALUES ('terms-of-use', 'v1', '', now(), true) ON CONFLICT DO NOTHING`,
  })
  const browser = openCookieJar(t)
  const { token, user } = await browser.call(GUEST, {})
  await call(t, 'POST /api/v1/privacy/consent', {}, { token })
  await browser.call('POST /api/register', form(ANNA))
  const code = await codeFor(t, ANNA)
  const headers = { 'utm-data': '{"utm_source":"blog"}' }
  expect((await browser.call('POST /api/verify-email', { email: ANNA, code }, { headers })).user.id).toBe(user.id)
  const { rows } = await t.ctx.db.query({
    text: 'SELECT utm, (SELECT count(*)::int FROM consents WHERE user_id = users.id) AS consents FROM users WHERE id = $1',
    values: [user.id],
  })
  expect(rows).toEqual([{ utm: { utm_source: 'blog' }, consents: 1 }])
})

test('a guest who links an e-mail address stays, and has agreed to the documents', async () => {
  await using t = await startTestApp()
  const { token, user } = await call(t, GUEST, {})
  await call(t, 'POST /api/v1/user/email', { email: ANNA }, { token })
  const { rows: codes } = await t.ctx.db.query({
    text: 'SELECT 1 FROM email_codes WHERE user_id = $1',
    values: [user.id],
  })
  expect(codes).toHaveLength(1)
  await call(t, 'POST /api/user/verify-link-email', { email: ANNA, code: await codeFor(t, ANNA) }, { token })
  expect(await call(t, 'GET /api/user', {}, { token })).not.toHaveProperty('guest')
})

test('a press whose reply was lost finds its guest by the cookie before', async () => {
  await using t = await startTestApp()
  const browser = openCookieJar(t)
  const { user } = await browser.call(GUEST, {})
  const before = openCookieJar(t)
  for (const [name, value] of browser.cookies) before.cookies.set(name, value)
  await browser.call(GUEST, {})
  expect((await before.call(GUEST, {})).user.id).toBe(user.id)
})

test('a code that was asked for at a guest’s browser is nothing once the guest has registered', async () => {
  await using t = await startTestApp()
  const browser = openCookieJar(t)
  const { token, user } = await browser.call(GUEST, {})
  const stranger = 'stranger@example.org'
  await call(t, 'POST /api/v1/user/email', { email: stranger }, { token })
  await t.ctx.db.query({
    text: `INSERT INTO auth_requests (state_hash, browser_hash, provider, user_id, sealed, expires_at)
      VALUES ('a', 'b', 'google', $1, '{}', now() + interval '1 hour')`,
    values: [user.id],
  })
  await browser.call('POST /api/register', form(ANNA))
  const verified = await browser.call('POST /api/verify-email', { email: ANNA, code: await codeFor(t, ANNA) })
  expect(verified.user.id).toBe(user.id)
  expect((await refused(t, 'GET /api/user', {}, { token })).status).toBe(401)
  const code = await codeFor(t, stranger)
  const late = await refused(t, 'POST /api/user/verify-link-email', { email: stranger, code }, verified)
  expect(late.body.code).toBe('CODE_EXPIRED')
  expect((await t.ctx.db.query({ text: 'SELECT FROM auth_requests' })).rowCount).toBe(0)
})

test('of a registration and a link at once, none says what it did not do', async () => {
  await using t = await startTestApp()
  const browser = openCookieJar(t)
  const { token, user } = await browser.call(GUEST, {})
  await call(t, 'POST /api/v1/user/email', { email: 'linked@example.org' }, { token })
  await browser.call('POST /api/register', form(ANNA))
  const [code, linkCode] = [await codeFor(t, ANNA), await codeFor(t, 'linked@example.org')]
  const [registered] = await Promise.allSettled([
    browser.call('POST /api/verify-email', { email: ANNA, code }),
    call(t, 'POST /api/user/verify-link-email', { email: 'linked@example.org', code: linkCode }, { token }),
  ])
  expect(registered.status).toBe('fulfilled')
  const { rows } = await t.ctx.db.query({ text: 'SELECT id, email FROM users WHERE email = $1', values: [ANNA] })
  expect(rows).toHaveLength(1)
  const members = await t.ctx.db.query({
    text: `SELECT count(*)::int AS count FROM account_deletions WHERE user_id = $1 AND state = 'waiting'`,
    values: [user.id],
  })
  expect(members.rows).toEqual([{ count: 0 }])
})

test('only the demo has guests, three of a network at once, and no other site can make one', async () => {
  await using real = await startTestApp({ config: { demo: false } })
  expect((await refused(real, GUEST, {})).status).toBe(404)
  await using t = await startTestApp()
  expect(
    (await refused(t, GUEST, {}, { headers: { origin: 'https://elsewhere.test', 'sec-fetch-site': 'cross-site' } }))
      .status,
  ).toBe(403)
  for (let guest = 0; guest < 3; guest += 1) await call(t, GUEST, {})
  expect((await refused(t, GUEST, {})).body).toMatchObject({
    code: 'TOO_MANY_GUESTS',
    message: expect.stringContaining('уже пробовали'),
  })
})
