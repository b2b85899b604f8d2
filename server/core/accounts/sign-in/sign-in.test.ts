import { expect, test } from 'vitest'
import { DAY, MINUTE, SECOND } from '#contract/time.ts'
import { setBlocked } from '#server/core/accounts/users/queries.ts'
import { sentMails } from '#test/builders/mails.ts'
import { type CallOptions, call, refused } from '#test/harness/calls.ts'
import { startTestApp, type TestApp, type TestUser } from '#test/harness/harness.ts'

const LOGIN = 'POST /api/login'
const PROXIED = { config: { trustedProxies: ['127.0.0.1'] } }
const from = (address: string): CallOptions => ({ headers: { 'x-forwarded-for': address } })

const loginOf = ({ email, password }: TestUser) => ({ email, password })

const register = (t: TestApp, email: string, password: string) =>
  call(t, 'POST /api/register', { email, password, password_confirmation: password, agree: true })

test('an unknown e-mail, a wrong password, also of a blocked account, and an account without one answer the same', async () => {
  await using t = await startTestApp()
  const [user, blocked, social] = [await t.makeUser(), await t.makeUser(), await t.makeUser()]
  await setBlocked(t.ctx.db, { userId: blocked.id, blockedAt: t.clock.now() })
  await t.ctx.db.query({ text: 'UPDATE users SET password_hash = NULL WHERE id = $1', values: [social.id] })
  const answers = await Promise.all([
    refused(t, LOGIN, { email: 'nobody@example.test', password: user.password }),
    refused(t, LOGIN, { email: user.email, password: 'wrong' }),
    refused(t, LOGIN, { email: blocked.email, password: 'wrong' }),
    refused(t, LOGIN, { email: social.email, password: social.password }),
    refused(t, LOGIN, { email: user.email, password: 'wrong', one_time_password: '123456' }),
  ])
  const [first] = answers
  expect(first).toMatchObject({ status: 422, body: { code: 'WRONG_CREDENTIALS' } })
  expect(answers).toEqual(answers.map(() => first))
})

test('what is missing is named', async () => {
  await using t = await startTestApp()
  const fields = async (input: object) => (await refused(t, LOGIN, input)).body.errors
  expect(await fields({ password: 'x' })).toHaveProperty('email')
  expect(await fields({ email: 'a@example.test' })).toHaveProperty('password')
  expect(await fields({})).toHaveProperty('email')
})

test('the right password of an address that is not proved yet leads to its code; nobody is signed in', async () => {
  await using t = await startTestApp()
  await register(t, 'new@example.test', 'correct horse battery')
  const login = { email: 'New@Example.test', password: 'correct horse battery' }
  const answer = await refused(t, LOGIN, login)
  expect(answer).toMatchObject({
    status: 422,
    body: { code: 'EMAIL_NOT_VERIFIED', data: { action: 'verify-email' } },
  })
  expect((await refused(t, LOGIN, { ...login, password: 'another password' })).body.code).toBe('WRONG_CREDENTIALS')
  expect((await sentMails(t)).map(({ mail }) => mail.kind)).toEqual(['verify-email'])
  t.clock.advance(10 * MINUTE)
  expect((await refused(t, LOGIN, login)).body.code).toBe('EMAIL_NOT_VERIFIED')
  expect((await sentMails(t)).map(({ mail }) => mail.kind)).toEqual(['verify-email', 'verify-email'])
})

test('registering the address of an account and signing in tells nobody that there is one', async () => {
  await using t = await startTestApp()
  const user = await t.makeUser()
  await register(t, user.email, 'a password of a stranger')
  await register(t, 'nobody@example.test', 'a password of a stranger')
  const answers = await Promise.all(
    [user.email, 'nobody@example.test'].map((email) =>
      refused(t, LOGIN, { email, password: 'a password of a stranger' }),
    ),
  )
  expect(answers[0]?.body.code).toBe('EMAIL_NOT_VERIFIED')
  expect(answers[1]).toEqual(answers[0])
  await call(t, LOGIN, loginOf(user))
})

test('wrong passwords cost growing waits, per account and address; the right one forgets them', async () => {
  await using t = await startTestApp(PROXIED)
  const user = await t.makeUser()
  const right = { email: user.email, password: user.password }
  const guess = () => refused(t, LOGIN, { ...right, password: 'guess' }, from('198.51.100.1'))
  for (let tries = 0; tries < 5; tries += 1) expect((await guess()).status).toBe(422)
  const waits: (string | null)[] = []
  for (let tries = 0; tries < 12; tries += 1) {
    const spelled = { ...right, email: user.email.toUpperCase() }
    const limited = await refused(t, LOGIN, spelled, from('198.51.100.1'))
    expect(limited).toMatchObject({ status: 429, body: { code: 'TOO_MANY_REQUESTS' } })
    waits.push(limited.retryAfter)
    t.clock.advance(Number(limited.retryAfter) * SECOND)
    expect((await guess()).status).toBe(422)
  }
  expect(waits).toEqual(['1', '2', '4', '8', '16', '32', '64', '128', '256', '512', '900', '900'])
  await call(t, LOGIN, right, from('198.51.100.2'))
  await call(t, LOGIN, loginOf(await t.makeUser()), from('198.51.100.1'))
  t.clock.advance(900 * SECOND)
  await call(t, LOGIN, right, from('198.51.100.1'))
  for (let tries = 0; tries < 5; tries += 1) expect((await guess()).status).toBe(422)
})

test('failures of yesterday are forgotten', async () => {
  await using t = await startTestApp()
  const user = await t.makeUser()
  const wrong = { email: user.email, password: 'guess' }
  for (let tries = 0; tries < 5; tries += 1) await refused(t, LOGIN, wrong)
  t.clock.advance(DAY)
  for (let tries = 0; tries < 5; tries += 1) expect((await refused(t, LOGIN, wrong)).status).toBe(422)
})

test('guesses at the same time are all counted', async () => {
  await using t = await startTestApp()
  const user = await t.makeUser()
  const guesses = Array.from({ length: 20 }, () => refused(t, LOGIN, { email: user.email, password: 'guess' }))
  const statuses = (await Promise.all(guesses)).map(({ status }) => status)
  expect(statuses.filter((status) => status === 422)).toHaveLength(5)
  expect(statuses.filter((status) => status === 429)).toHaveLength(15)
})

test('one address may be wrong twenty times a minute over all accounts, a whole IPv6 network counts as one', async () => {
  await using t = await startTestApp(PROXIED)
  const addresses = (place: number) => `2001:db8:1:2:${place.toString(16)}::1`
  const statuses: number[] = []
  for (let tries = 0; tries < 21; tries += 1) {
    const guess = { email: `a${tries}@example.test`, password: 'x' }
    statuses.push((await refused(t, LOGIN, guess, from(addresses(tries)))).status)
  }
  expect(statuses).toEqual([...Array.from({ length: 20 }, () => 422), 429])
  await call(t, LOGIN, loginOf(await t.makeUser()), from('2001:db8:1:3::1'))
  t.clock.advance(3 * SECOND)
  await call(t, LOGIN, loginOf(await t.makeUser()), from(addresses(1)))
})

test('the right password is not slowed down: forty sign-ins in a row, and four at once', async () => {
  await using t = await startTestApp()
  const user = await t.makeUser()
  for (let times = 0; times < 40; times += 1) await call(t, LOGIN, loginOf(user))
  await Promise.all(Array.from({ length: 4 }, () => call(t, LOGIN, loginOf(user))))
})

test('one address cannot keep the server hashing: sixty sign-ins, then one a second', async () => {
  await using t = await startTestApp()
  const user = await t.makeUser()
  for (let times = 0; times < 60; times += 1) await call(t, LOGIN, loginOf(user))
  expect(await refused(t, LOGIN, loginOf(user))).toMatchObject({ status: 429, retryAfter: '1' })
  t.clock.advance(SECOND)
  await call(t, LOGIN, loginOf(user))
})
