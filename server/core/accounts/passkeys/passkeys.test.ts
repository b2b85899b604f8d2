import { expect, test } from 'vitest'
import { MINUTE } from '#contract/time.ts'
import { cleanUp } from '#server/house/jobs/clean-up.ts'
import { count } from '#test/builders/activation-rows.ts'
import { hammer } from '#test/builders/hostile-bodies.ts'
import { sentMails } from '#test/builders/mails.ts'
import { codeNow, turnOnTwoFactor } from '#test/builders/second-factor.ts'
import { makeAuthenticator } from '#test/fakes/authenticator.ts'
import { call, refused } from '#test/harness/calls.ts'
import { type CookieJar, openCookieJar } from '#test/harness/cookie-jar.ts'
import { startTestApp, type TestApp, type TestUser } from '#test/harness/harness.ts'
import { randomRuns } from '#test/harness/random-runs.ts'

const ASK = 'POST /api/v1/passkeys/begin'
const SIGN_IN = 'POST /api/v1/passkeys/sign-in'
const ADD = 'POST /api/v1/user/passkeys'
const LIST = 'GET /api/v1/user/passkeys'

type Device = ReturnType<typeof makeAuthenticator>

async function addTo(t: TestApp, jar: CookieJar, user: TestUser, name = 'Phone'): Promise<Device> {
  const device = makeAuthenticator(t.url)
  const asked = await jar.call('POST /api/v1/user/passkeys/begin', {}, user)
  await jar.call(ADD, { name, credential: device.create(asked) }, user)
  return device
}

const codeOf = async (jar: CookieJar, key: Parameters<CookieJar['refused']>[0], input: object, options = {}) =>
  (await jar.refused(key, input, options)).body.code

test('a passkey signs its owner in, also where two-factor is on, and is mailed, listed, named and removed', async () => {
  await using t = await startTestApp()
  const user = await t.makeUser()
  const jar = openCookieJar(t)
  const device = await addTo(t, jar, user)
  await turnOnTwoFactor(t, user)
  const visitor = openCookieJar(t)
  const asked = await visitor.call(ASK, { purpose: 'sign-in' })
  expect(asked).toMatchObject({ rp_id: '127.0.0.1', user_verification: 'required' })
  const reply = await visitor.call(SIGN_IN, { credential: device.get(asked) })
  expect(reply.user.id).toBe(user.id)
  const { passkeys } = await call(t, LIST, {}, { token: reply.token })
  expect(passkeys).toMatchObject([{ name: 'Phone', host: '127.0.0.1', last_used_at: t.clock.now().toISOString() }])
  const id = passkeys[0]?.id ?? ''
  await call(t, 'PATCH /api/v1/user/passkeys/{id}', { id, name: '  Old phone ' }, user)
  expect((await call(t, LIST, {}, user)).passkeys[0]?.name).toBe('Old phone')
  await call(t, 'DELETE /api/v1/user/passkeys/{id}', { id }, user)
  expect((await call(t, LIST, {}, user)).passkeys).toEqual([])
  const again = await visitor.call(ASK, { purpose: 'sign-in' })
  expect(await codeOf(visitor, SIGN_IN, { credential: device.get(again) })).toBe('PASSKEY_FAILED')
  const kinds = (await sentMails(t)).map(({ mail }) => mail.kind)
  expect(kinds).toEqual(['passkey-added', 'two-factor-on', 'passkey-removed'])
})

test('a challenge is good once, for five minutes, in the browser that asked, and for what it was asked for', async () => {
  await using t = await startTestApp()
  const user = await t.makeUser()
  const device = await addTo(t, openCookieJar(t), user)
  const jar = openCookieJar(t)
  const asked = await jar.call(ASK, { purpose: 'sign-in' })
  const credential = device.get(asked)
  const stranger = openCookieJar(t)
  expect(await codeOf(stranger, SIGN_IN, { credential })).toBe('PASSKEY_FAILED')
  await stranger.call(ASK, { purpose: 'sign-in' })
  expect(await codeOf(stranger, SIGN_IN, { credential })).toBe('PASSKEY_FAILED')
  await jar.call(SIGN_IN, { credential })
  expect(await codeOf(jar, SIGN_IN, { credential })).toBe('PASSKEY_FAILED')
  const late = await jar.call(ASK, { purpose: 'sign-in' })
  t.clock.advance(5 * MINUTE)
  expect(await codeOf(jar, SIGN_IN, { credential: device.get(late) })).toBe('PASSKEY_FAILED')
  const other = await jar.call(ASK, { purpose: 'second-factor' })
  expect(await codeOf(jar, SIGN_IN, { credential: device.get(other) })).toBe('PASSKEY_FAILED')
  const shared = await jar.call(ASK, { purpose: 'sign-in' })
  const answers = [1, 2, 3, 4].map(() => jar.send(SIGN_IN, { credential: device.get(shared) }))
  const statuses = (await Promise.all(answers)).map(({ response }) => response.status)
  expect(statuses.sort()).toEqual([200, 422, 422, 422])
})

test('another origin, another host, an owner not known to the device, a foreign signature: all refused alike', async () => {
  await using t = await startTestApp()
  const user = await t.makeUser()
  const device = await addTo(t, openCookieJar(t), user)
  const jar = openCookieJar(t)
  const wrong = [
    { origin: 'https://evil.example' },
    { rpId: 'evil.example' },
    { verified: false },
    { credentialId: makeAuthenticator(t.url).credentialId },
  ]
  for (const differs of wrong) {
    const credential = device.get(await jar.call(ASK, { purpose: 'sign-in' }), differs)
    const refusal = await jar.refused(SIGN_IN, { credential })
    expect([refusal.status, refusal.body.code, refusal.body.data]).toEqual([422, 'PASSKEY_FAILED', undefined])
  }
  const forged = makeAuthenticator(t.url).get(await jar.call(ASK, { purpose: 'sign-in' }), {
    credentialId: device.credentialId,
  })
  expect(await codeOf(jar, SIGN_IN, { credential: forged })).toBe('PASSKEY_FAILED')
  for (const broken of ['', 'a b', 'x'.repeat(5_000)]) {
    const asked = await jar.call(ASK, { purpose: 'sign-in' })
    const refusal = await jar.refused(SIGN_IN, { credential: { ...device.get(asked), client_data: broken } })
    expect(refusal.status).toBe(422)
  }
  const asked = await jar.call(ASK, { purpose: 'sign-in' })
  const nonsense = { ...device.get(asked), authenticator_data: 'AAAA', signature: 'AAAA' }
  expect(await codeOf(jar, SIGN_IN, { credential: nonsense })).toBe('PASSKEY_FAILED')
  expect(await codeOf(jar, SIGN_IN, { credential: { ...nonsense, client_data: 'AAAA' } })).toBe('PASSKEY_FAILED')
  const foreign = await jar.call(ASK, { purpose: 'sign-in' })
  const headers = { origin: 'https://evil.example' }
  expect(await codeOf(jar, SIGN_IN, { credential: device.get(foreign) }, { headers })).toBe('FORBIDDEN')
})

test('a device that counts back is refused and noted: somebody has its copy', async () => {
  await using t = await startTestApp()
  const user = await t.makeUser()
  const device = await addTo(t, openCookieJar(t), user)
  const jar = openCookieJar(t)
  const signIn = async (counter: number) => {
    const asked = await jar.call(ASK, { purpose: 'sign-in' })
    return (await jar.send(SIGN_IN, { credential: device.get(asked, { counter }) })).response.status
  }
  expect(await signIn(7)).toBe(200)
  expect([await signIn(7), await signIn(3), await signIn(0)]).toEqual([422, 422, 422])
  expect(await signIn(8)).toBe(200)
  const noted = t.log.lines.filter(({ fields }) => JSON.stringify(fields).includes('passkey-counted-back'))
  expect(noted.map(({ fields }) => fields)).toMatchObject([1, 2, 3].map(() => ({ userId: user.id })))
})

test('a passkey stands for the code of two-factor, of its owner alone, and only after the first factor', async () => {
  await using t = await startTestApp()
  const [user, other] = [await t.makeUser(), await t.makeUser()]
  const device = await addTo(t, openCookieJar(t), user)
  const theirs = await addTo(t, openCookieJar(t), other)
  await turnOnTwoFactor(t, user)
  const jar = openCookieJar(t)
  const { email, password } = user
  const needed = await jar.refused('POST /api/login', { email, password })
  expect(needed.body).toMatchObject({ code: 'NEED_2FA_CODE', data: { action: 'need-2fa-code', passkey: true } })
  const ask = () => jar.call(ASK, { purpose: 'second-factor' })
  expect(await codeOf(jar, 'POST /api/login', { email, password, passkey: theirs.get(await ask()) })).toBe(
    'PASSKEY_FAILED',
  )
  const passkey = device.get(await ask(), { verified: false })
  expect(await codeOf(jar, 'POST /api/login', { email, password: 'not-my-password', passkey })).toBe(
    'WRONG_CREDENTIALS',
  )
  expect((await jar.call('POST /api/login', { email, password, passkey })).user.id).toBe(user.id)
  expect(await codeOf(jar, 'POST /api/login', { email, password, passkey })).toBe('PASSKEY_FAILED')
})

test('adding and removing ask who it is after a while; a passkey is an answer, and someone else’s is not', async () => {
  await using t = await startTestApp()
  const [user, other] = [await t.makeUser(), await t.makeUser()]
  const jar = openCookieJar(t)
  const device = await addTo(t, jar, user)
  const theirs = await addTo(t, openCookieJar(t), other)
  const id = (await call(t, LIST, {}, user)).passkeys[0]?.id ?? ''
  t.clock.advance(6 * MINUTE)
  const asked = await jar.refused('DELETE /api/v1/user/passkeys/{id}', { id }, user)
  expect(asked.body.data).toEqual({ action: 'confirm-password', by: 'password', passkey: true })
  expect(await codeOf(jar, 'POST /api/v1/user/passkeys/begin', {}, user)).toBe('CONFIRM_PASSWORD')
  const confirm = async (shown: Device) => {
    const passkey = shown.get(await jar.call(ASK, { purpose: 'confirm' }))
    return (await jar.send('POST /api/v1/user/confirm-password', { passkey }, user)).response.status
  }
  expect(await confirm(theirs)).toBe(422)
  expect(await codeOf(jar, 'DELETE /api/v1/user/passkeys/{id}', { id }, user)).toBe('CONFIRM_PASSWORD')
  expect(await confirm(device)).toBe(200)
  await jar.call('DELETE /api/v1/user/passkeys/{id}', { id }, user)
})

test('someone else’s passkey is not there, an API key sees none, and a visitor adds none', async () => {
  await using t = await startTestApp()
  const [user, other] = [await t.makeUser(), await t.makeUser()]
  const jar = openCookieJar(t)
  const device = await addTo(t, jar, user)
  const id = (await call(t, LIST, {}, user)).passkeys[0]?.id ?? ''
  for (const wanted of [id, '0', 'x', '99999999999']) {
    expect((await refused(t, 'DELETE /api/v1/user/passkeys/{id}', { id: wanted }, other)).status).toBe(404)
    expect((await refused(t, 'PATCH /api/v1/user/passkeys/{id}', { id: wanted, name: 'Mine' }, other)).status).toBe(404)
  }
  expect((await call(t, LIST, {}, other)).passkeys).toEqual([])
  const token = await t.makeApiKey(user)
  expect((await refused(t, LIST, {}, { token })).body.code).toBe('FORBIDDEN')
  expect((await refused(t, 'POST /api/v1/user/passkeys/begin', {}, { token })).body.code).toBe('FORBIDDEN')
  expect((await refused(t, 'POST /api/v1/user/passkeys/begin', {})).status).toBe(401)
  const mine = await jar.call('POST /api/v1/user/passkeys/begin', {}, user)
  expect(mine.exclude).toEqual([device.credentialId])
  const fresh = makeAuthenticator(t.url)
  expect(await codeOf(jar, ADD, { name: 'Theirs', credential: fresh.create(mine) }, other)).toBe('PASSKEY_FAILED')
  const asked = await jar.call('POST /api/v1/user/passkeys/begin', {}, other)
  expect(await codeOf(jar, ADD, { name: 'Taken', credential: device.create(asked) }, other)).toBe('PASSKEY_TAKEN')
})

test('a person has ten passkeys at most, also when two tenth ones come at once; wrong ones are not added', async () => {
  await using t = await startTestApp()
  const user = await t.makeUser()
  const jar = openCookieJar(t)
  for (const differs of [{ origin: 'https://evil.example' }, { rpId: 'evil.example' }, { verified: false }]) {
    const asked = await jar.call('POST /api/v1/user/passkeys/begin', {}, user)
    const credential = makeAuthenticator(t.url).create(asked, differs)
    expect(await codeOf(jar, ADD, { name: 'Wrong', credential }, user)).toBe('PASSKEY_FAILED')
  }
  for (let count = 0; count < 9; count += 1) await addTo(t, jar, user, `Key ${count}`)
  const two = [makeAuthenticator(t.url), makeAuthenticator(t.url)]
  const asked = await Promise.all(two.map(() => jar.call('POST /api/v1/user/passkeys/begin', {}, user)))
  const added = await Promise.all(
    two.map((device, place) => {
      const options = asked[place]
      if (options === undefined) throw new Error('nothing was asked')
      return jar.send(ADD, { name: 'Tenth', credential: device.create(options) }, user)
    }),
  )
  expect(added.map(({ response }) => response.status).sort()).toEqual([200, 409])
  expect((await call(t, LIST, {}, user)).passkeys).toHaveLength(10)
  expect(await codeOf(jar, 'POST /api/v1/user/passkeys/begin', {}, user)).toBe('TOO_MANY_PASSKEYS')
})

test('the last way in stays: a passkey without a password is one', async () => {
  await using t = await startTestApp()
  const user = await t.makeUser()
  const jar = openCookieJar(t)
  const device = await addTo(t, jar, user)
  await t.ctx.db.query({ text: 'UPDATE users SET password_hash = NULL WHERE id = $1', values: [user.id] })
  const id = (await call(t, LIST, {}, user)).passkeys[0]?.id ?? ''
  expect(await codeOf(jar, 'DELETE /api/v1/user/passkeys/{id}', { id }, user)).toBe('LAST_WAY_IN')
  t.ctx.secrets.providers.google = { clientId: 'c', clientSecret: 's', issuer: 'https://google.example' }
  await t.ctx.db.query({
    text: `INSERT INTO identities (user_id, provider, subject, name, linked_at) VALUES ($1, 'google', 'x', 'Anna', now())`,
    values: [user.id],
  })
  await call(t, 'DELETE /api/v1/user/identities/{provider}', { provider: 'google' }, user)
  expect(await codeOf(jar, 'DELETE /api/v1/user/passkeys/{id}', { id }, user)).toBe('LAST_WAY_IN')
  await t.ctx.db.query({ text: 'UPDATE users SET blocked_at = now() WHERE id = $1', values: [user.id] })
  const asked = await jar.call(ASK, { purpose: 'sign-in' })
  const { token } = await jar.call(SIGN_IN, { credential: device.get(asked) })
  expect((await refused(t, LIST, {}, { token })).body.code).toBe('BLOCKED')
})

test('challenges of a network are few at a time, and what ran out is cleared', async () => {
  await using t = await startTestApp()
  const jar = openCookieJar(t)
  const statuses: number[] = []
  for (let count = 0; count < 31; count += 1) {
    statuses.push((await jar.send(ASK, { purpose: 'sign-in' })).response.status)
  }
  expect([statuses.filter((status) => status === 200).length, statuses.at(-1)]).toEqual([30, 429])
  t.clock.advance(5 * MINUTE)
  await cleanUp(t.ctx)
  expect((await t.ctx.db.query({ text: 'SELECT FROM passkey_challenges' })).rowCount).toBe(0)
})

test('a code of the app still passes beside passkeys', async () => {
  await using t = await startTestApp()
  const user = await t.makeUser()
  await addTo(t, openCookieJar(t), user)
  const { secret } = await turnOnTwoFactor(t, user)
  const { email, password } = user
  await call(t, 'POST /api/login', { email, password, one_time_password: await codeNow(t, secret) })
})

test('a new password leaves passkeys as they are, and its letter says so', async () => {
  await using t = await startTestApp()
  const user = await t.makeUser()
  await addTo(t, openCookieJar(t), user)
  const password = 'slow-lantern-63'
  const input = { current_password: user.password, password, password_confirmation: password }
  await call(t, 'POST /api/v1/user/password', input, user)
  expect((await sentMails(t)).at(-1)?.mail).toEqual({ kind: 'password-changed', linked: ['passkey'] })
  expect((await call(t, LIST, {}, user)).passkeys).toHaveLength(1)
})

test.each([ASK, SIGN_IN, ADD, 'PATCH /api/v1/user/passkeys/{id}', 'DELETE /api/v1/user/passkeys/{id}'])(
  'hostile bodies for %s are no fault of ours',
  async (key) => {
    await using t = await startTestApp()
    const { token } = await t.makeUser()
    await hammer(t, key, { runs: randomRuns({ suite: 50, soak: 5_000 }), token })
    expect(await count(t.ctx, 'passkeys')).toBe(0)
  },
)
