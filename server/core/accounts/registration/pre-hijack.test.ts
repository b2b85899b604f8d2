import { expect, test } from 'vitest'
import { DAY, MINUTE, SECOND } from '#contract/time.ts'
import { codeFor, form, GOOD_PASSWORD, mailsTo, wrongCodeFor } from '#test/builders/registration.ts'
import { openCookieJar } from '#test/harness/cookie-jar.ts'
import { startTestApp, type TestApp } from '#test/harness/harness.ts'

const REGISTER = 'POST /api/register'
const VERIFY = 'POST /api/verify-email'
const RESEND = 'POST /api/resend-verify-email'
const LOGIN = 'POST /api/login'
const VICTIM = 'victim@example.test'
const THEIRS = 'password of the attacker'

const theirs = (changes: object = {}) => form(VICTIM, { password: THEIRS, password_confirmation: THEIRS, ...changes })
const proxied = () => startTestApp({ config: { trustedProxies: ['127.0.0.1'] } })
const from = (address: string) => ({ headers: { 'x-forwarded-for': address } })
const OWNER = from('198.51.100.1')

async function passwords(t: TestApp): Promise<string[]> {
  const { rows } = await t.ctx.db.query<{ password_hash: string }>({ text: 'SELECT password_hash FROM registrations' })
  return rows.map((row) => row.password_hash)
}

// Security finding S-1: the newest code created the account of whoever registered last, with that person's password.
test('a registration by somebody else takes neither the account nor the code of the owner', async () => {
  await using t = await startTestApp()
  const [owner, attacker] = [openCookieJar(t), openCookieJar(t)]
  const friend = await t.makeUser()
  const utm = { headers: { 'utm-data': '{"utm_source":"blog"}' } }
  await owner.call(REGISTER, form(VICTIM, { referral_id: friend.id }), utm)
  const code = await codeFor(t, VICTIM)
  const stranger = await t.makeUser()
  await attacker.call(REGISTER, theirs({ referral_id: stranger.id }))
  const latest = await codeFor(t, VICTIM)

  if (latest !== code) {
    expect((await owner.refused(VERIFY, { email: VICTIM, code: latest })).body.code).toBe('WRONG_CODE')
  }
  for (let turn = 0; turn < 6; turn += 1) await attacker.refused(VERIFY, { email: VICTIM, code: wrongCodeFor(latest) })
  await owner.call(VERIFY, { email: VICTIM, code })

  expect((await attacker.refused(LOGIN, { email: VICTIM, password: THEIRS })).body.code).toBe('WRONG_CREDENTIALS')
  expect((await attacker.refused(VERIFY, { email: VICTIM, code: latest, password: THEIRS })).status).toBe(422)
  const { user } = await owner.call(LOGIN, { email: VICTIM, password: GOOD_PASSWORD })
  const { rows } = await t.ctx.db.query({ text: 'SELECT referrer_id, utm FROM users WHERE id = $1', values: [user.id] })
  expect(rows).toEqual([{ referrer_id: friend.id, utm: { utm_source: 'blog' } }])
  expect(await passwords(t)).toEqual([])
})

test('another browser gives the password; what it is told is the same for every address', async () => {
  await using t = await startTestApp()
  const [first, other] = [openCookieJar(t), openCookieJar(t)]
  await t.makeUser({ email: 'known@example.test' })
  await first.call(REGISTER, form(VICTIM))
  const code = await codeFor(t, VICTIM)
  const asked = await other.refused(VERIFY, { email: VICTIM, code })
  expect(asked).toMatchObject({
    status: 422,
    body: { code: 'NEED_PASSWORD', data: { action: 'need-password' }, errors: { password: [expect.any(String)] } },
  })
  for (const email of ['known@example.test', 'nobody@example.test']) {
    expect(await other.refused(VERIFY, { email, code })).toEqual(asked)
    const wrong = await other.refused(VERIFY, { email, code, password: 'not this password' })
    expect(wrong).toEqual(await other.refused(VERIFY, { email: VICTIM, code, password: 'not this password' }))
    expect(wrong.body).toMatchObject({ code: 'WRONG_PASSWORD', errors: { password: [expect.any(String)] } })
  }
  await other.call(VERIFY, { email: VICTIM, code, password: GOOD_PASSWORD })
})

test('signing in with the right password ties the registration to that browser', async () => {
  await using t = await startTestApp()
  const [first, other] = [openCookieJar(t), openCookieJar(t)]
  await first.call(REGISTER, form(VICTIM))
  await openCookieJar(t).call(REGISTER, theirs())
  expect((await other.refused(LOGIN, { email: VICTIM, password: GOOD_PASSWORD })).body.code).toBe('EMAIL_NOT_VERIFIED')
  t.clock.advance(MINUTE)
  await other.call(RESEND, { email: VICTIM })
  await other.call(VERIFY, { email: VICTIM, code: await codeFor(t, VICTIM) })
  await other.call(LOGIN, { email: VICTIM, password: GOOD_PASSWORD })
})

test('a form of another site gives this browser no registration of its own', async () => {
  await using t = await startTestApp()
  const browser = openCookieJar(t)
  await browser.call(REGISTER, form(VICTIM))
  await openCookieJar(t).call(REGISTER, theirs())
  const foreign = { headers: { origin: 'https://evil.example' } }
  const held = browser.cookies.get('registration')
  expect((await browser.refused(REGISTER, theirs(), foreign)).body.code).toBe('FORBIDDEN')
  expect((await browser.refused(LOGIN, { email: VICTIM, password: THEIRS }, foreign)).body.code).toBe('FORBIDDEN')
  expect(browser.cookies.get('registration')).toBe(held)
  const [mail] = await mailsTo(t, VICTIM)
  await browser.call(VERIFY, { email: VICTIM, code: mail?.kind === 'verify-email' ? mail.code : '' })
})

test('registering an address any number of times pushes nobody else’s registration out', async () => {
  await using t = await proxied()
  const owner = openCookieJar(t)
  await owner.call(REGISTER, form(VICTIM), OWNER)
  const code = await codeFor(t, VICTIM)
  for (let turn = 0; turn < 12; turn += 1) await openCookieJar(t).call(REGISTER, theirs(), from('203.0.113.1'))
  expect(await passwords(t)).toHaveLength(4)
  for (let turn = 0; turn < 70; turn += 1) {
    t.clock.advance(SECOND)
    await openCookieJar(t).call(REGISTER, theirs(), from(`2001:db8:0:${turn}::1`))
  }
  expect(await passwords(t)).toHaveLength(50)
  expect((await mailsTo(t, VICTIM)).length).toBeLessThanOrEqual(41)
  await owner.call(VERIFY, { email: VICTIM, code }, OWNER)
})

test('one network keeps a hundred registrations of any addresses', async () => {
  await using t = await startTestApp()
  const browser = openCookieJar(t)
  await browser.call(REGISTER, form(VICTIM))
  await t.ctx.db.query({
    text: `INSERT INTO registrations (email, network, password_hash, code_hash, code_expires_at, expires_at)
      SELECT 'a' || n || '@x.test', '127.0.0.1', '', '', $1, $1 FROM generate_series(1, 300) n`,
    values: [new Date(t.clock.now().getTime() + DAY)],
  })
  await browser.call(REGISTER, form('next@example.test'))
  const { rows } = await t.ctx.db.query<{ count: bigint }>({ text: 'SELECT count(*) FROM registrations' })
  expect(rows[0]?.count).toBe(100n)
})
