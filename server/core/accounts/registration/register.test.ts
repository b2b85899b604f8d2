import { expect, test } from 'vitest'
import { DAY, MINUTE, SECOND } from '#contract/time.ts'
import { cleanUp } from '#server/house/jobs/clean-up.ts'
import { codeFor, form, GOOD_PASSWORD, mailsTo, wrongCodeFor } from '#test/builders/registration.ts'
import type { Refusal } from '#test/harness/calls.ts'
import { openCookieJar } from '#test/harness/cookie-jar.ts'
import { startTestApp, type TestApp } from '#test/harness/harness.ts'

const REGISTER = 'POST /api/register'
const VERIFY = 'POST /api/verify-email'
const RESEND = 'POST /api/resend-verify-email'
const LOGIN = 'POST /api/login'
const ANNA = 'anna@example.test'

type Person = { id: number; email: string; referrer_id: number | null; utm: object; zone: string; locale: string }

async function people(t: TestApp): Promise<Person[]> {
  const { rows } = await t.ctx.db.query<Person>({
    text: 'SELECT id, email, referrer_id, utm, zone, locale FROM users ORDER BY id',
  })
  return rows
}

const short = async (refusal: Promise<Refusal>) => {
  const { status, body } = await refusal
  return `${status} ${body.code}`
}

test('a registration makes a person when its code comes back, and signs him in', async () => {
  await using t = await startTestApp()
  const browser = openCookieJar(t)
  const friend = await t.makeUser()
  const input = form('  Anna@Example.TEST ', { referral_id: String(friend.id) })
  expect(await browser.call(REGISTER, input, { locale: 'en' })).toEqual({ status: true, action: 'verify-email' })
  expect(await mailsTo(t, ANNA)).toEqual([
    { kind: 'verify-email', code: expect.stringMatching(/^\d{6}$/), locale: 'en' },
  ])
  expect(await people(t)).toHaveLength(1)

  const headers = { 'utm-data': JSON.stringify({ utm_source: 'blog', ref: 'x' }), 'referral-id': '999999' }
  const code = await codeFor(t, ANNA)
  const { response, body } = await browser.send(VERIFY, { email: 'ANNA@example.test', code }, { headers, locale: 'en' })
  expect(response.status).toBe(200)
  const cookies = response.headers.getSetCookie().map((line) => line.split('=')[0])
  expect(cookies).toEqual(expect.arrayContaining(['auth_token', 'refresh_token']))
  const { token, user } = body as { token: string; user: object }
  expect(user).toMatchObject({ email: ANNA, balance: '0.00', currency: 'rub', role: 'user' })
  expect(await browser.call('GET /api/user', {}, { token })).toEqual(user)
  expect((await people(t)).at(-1)).toMatchObject({
    email: ANNA,
    referrer_id: friend.id,
    utm: { utm_source: 'blog' },
    zone: 'ru',
    locale: 'en',
  })
  expect(await browser.call(LOGIN, { email: ANNA, password: GOOD_PASSWORD })).toMatchObject({ status: true })
  expect(await short(browser.refused(VERIFY, { email: ANNA, code }))).toBe('422 NEED_PASSWORD')
  expect(browser.cookies.has('registration')).toBe(false)
})

test('a person of another zone has its currency; the referrer of the headers counts when the form named none', async () => {
  const zones = [
    { name: 'ru', hosts: ['localhost'], currency: 'rub', locales: ['ru', 'en'] },
    { name: 'com', hosts: ['example.com'], currency: 'usd', locales: ['en'] },
  ]
  await using t = await startTestApp({ environment: { ZONES: JSON.stringify(zones) } })
  const browser = openCookieJar(t)
  const friend = await t.makeUser()
  await browser.call(REGISTER, form(ANNA), { headers: { zone: 'com' } })
  const headers = { zone: 'com', 'referral-id': String(friend.id), 'utm-data': '{"utm_source": 5, broken' }
  const input = { email: ANNA, code: await codeFor(t, ANNA) }
  const { user } = await browser.call(VERIFY, input, { headers })
  expect(user.currency).toBe('usd')
  expect((await people(t)).at(-1)).toMatchObject({ referrer_id: friend.id, utm: {}, zone: 'com', locale: 'en' })
})

test('a wrong form is refused field by field, and nothing is sent', async () => {
  await using t = await startTestApp()
  const browser = openCookieJar(t)
  const errorsOf = async (input: object, locale: 'ru' | 'en' = 'ru') => {
    const { status, body } = await browser.refused(REGISTER, input, { locale })
    expect([status, body.code]).toEqual([422, 'INVALID_INPUT'])
    return body.errors
  }
  const required = ['Заполните это поле']
  expect(await errorsOf({})).toEqual({
    email: required,
    password: required,
    password_confirmation: required,
    agree: required,
  })
  expect(await errorsOf(form('', { password: '' }))).toMatchObject({ email: required, password: required })
  expect(await errorsOf(form('anna'))).toEqual({ email: ['Это не похоже на адрес почты'] })
  expect(await errorsOf(form('"x"<anna@example.test>'), 'en')).toEqual({ email: ['This isn’t an e-mail address'] })
  expect(await errorsOf(form(`${'a'.repeat(250)}@example.test`), 'en')).toEqual({
    email: ['Enter no more than 254 characters'],
  })
  const long = 'x'.repeat(201)
  expect(await errorsOf(form(ANNA, { password: long, password_confirmation: long }))).toEqual({
    password: ['Не длиннее 200 символов'],
    password_confirmation: ['Не длиннее 200 символов'],
  })
  // Finding P-10: faults found by the schema and faults found later must arrive in one reply.
  expect(
    await errorsOf({ email: 'anna', password: 'short', password_confirmation: 'shirt', agree: false }, 'en'),
  ).toEqual({
    email: ['This isn’t an e-mail address'],
    password: ['Enter at least 8 characters'],
    password_confirmation: ['The passwords don’t match'],
    agree: ['To continue, check the box'],
  })
  expect(await errorsOf(form(ANNA, { password: 'short', password_confirmation: 'shirt', agree: false }))).toEqual({
    password: ['Не короче 8 символов'],
    password_confirmation: ['Пароли не совпадают'],
    agree: ['Чтобы продолжить, отметьте согласие'],
  })
  expect(await errorsOf(form(ANNA, { agree: false }), 'en')).toEqual({ agree: ['To continue, check the box'] })
  expect(await errorsOf(form(ANNA, { password: 'I am anna, yes', password_confirmation: 'I am anna, yes' }))).toEqual({
    password: ['В пароле не должно быть имени из вашей почты'],
  })
  expect(await mailsTo(t, ANNA)).toEqual([])
})

test('who registers again in the same browser has another password and origin, and the code that was mailed', async () => {
  await using t = await startTestApp()
  const browser = openCookieJar(t)
  const [first, second] = [await t.makeUser(), await t.makeUser()]
  await browser.call(REGISTER, form(ANNA, { referral_id: first.id }))
  const password = 'another fine password'
  const again = form(ANNA, { referral_id: second.id, password, password_confirmation: password })
  await browser.call(REGISTER, again)
  expect(await mailsTo(t, ANNA)).toHaveLength(1)
  await browser.call(VERIFY, { email: ANNA, code: await codeFor(t, ANNA) })
  expect((await people(t)).at(-1)).toMatchObject({ email: ANNA, referrer_id: second.id })
  expect(await short(browser.refused(LOGIN, { email: ANNA, password: GOOD_PASSWORD }))).toBe('422 WRONG_CREDENTIALS')
  expect(await browser.call(LOGIN, { email: ANNA, password })).toMatchObject({ status: true })
})

test('after a minute registering again mails another code, and the former is dead', async () => {
  await using t = await startTestApp()
  const browser = openCookieJar(t)
  await browser.call(REGISTER, form(ANNA))
  const old = await codeFor(t, ANNA)
  t.clock.advance(MINUTE)
  await browser.call(REGISTER, form(ANNA))
  const fresh = await codeFor(t, ANNA)
  expect(await mailsTo(t, ANNA)).toHaveLength(2)
  if (fresh !== old) expect(await short(browser.refused(VERIFY, { email: ANNA, code: old }))).toBe('422 WRONG_CODE')
  await browser.call(VERIFY, { email: ANNA, code: fresh })
})

// ASVS 6.5.5 limits the lifetime of a code.
test('a code is good for 10 minutes', async () => {
  await using t = await startTestApp()
  const browser = openCookieJar(t)
  await browser.call(REGISTER, form(ANNA))
  const input = { email: ANNA, code: await codeFor(t, ANNA) }
  t.clock.advance(10 * MINUTE)
  expect(await browser.refused(VERIFY, input, { locale: 'en' })).toMatchObject({
    status: 422,
    body: { code: 'CODE_EXPIRED', message: 'This code no longer works. Request a new one.' },
  })
  await browser.call(REGISTER, form('boris@example.test'))
  t.clock.advance(10 * MINUTE - 1)
  await browser.call(VERIFY, { email: 'boris@example.test', code: await codeFor(t, 'boris@example.test') })
})

test('a code is dead after five wrong tries; a new one may be tried five times again', async () => {
  await using t = await startTestApp()
  const browser = openCookieJar(t)
  await browser.call(REGISTER, form(ANNA))
  const code = await codeFor(t, ANNA)
  for (let turn = 0; turn < 5; turn += 1) {
    const guess = { email: ANNA, code: wrongCodeFor(code) }
    expect(await browser.refused(VERIFY, guess)).toMatchObject({
      status: 422,
      body: { code: 'WRONG_CODE', message: 'Код неверный' },
    })
  }
  expect(await short(browser.refused(VERIFY, { email: ANNA, code }))).toBe('422 CODE_EXPIRED')
  t.clock.advance(MINUTE)
  await browser.call(RESEND, { email: ANNA })
  const fresh = await codeFor(t, ANNA)
  expect(await short(browser.refused(VERIFY, { email: ANNA, code: wrongCodeFor(fresh) }))).toBe('422 WRONG_CODE')
  await browser.call(VERIFY, { email: ANNA, code: fresh })
})

test('of fifty guesses at once, from fifty addresses, five are heard', async () => {
  await using t = await startTestApp({ config: { trustedProxies: ['127.0.0.1'] } })
  const browser = openCookieJar(t)
  await browser.call(REGISTER, form(ANNA))
  const code = await codeFor(t, ANNA)
  const answers = await Promise.all(
    Array.from({ length: 50 }, (_each, at) => {
      const headers = { 'x-forwarded-for': `198.51.100.${at + 1}` }
      return short(browser.refused(VERIFY, { email: ANNA, code: wrongCodeFor(code) }, { headers }))
    }),
  )
  expect(answers.filter((answer) => answer === '422 WRONG_CODE')).toHaveLength(5)
  expect(answers.filter((answer) => answer === '422 CODE_EXPIRED')).toHaveLength(45)
  expect(await short(browser.refused(VERIFY, { email: ANNA, code }))).toBe('422 CODE_EXPIRED')
})

test('the right code twice at once makes one person', async () => {
  await using t = await startTestApp()
  const browser = openCookieJar(t)
  await browser.call(REGISTER, form(ANNA))
  const input = { email: ANNA, code: await codeFor(t, ANNA) }
  const answers = await Promise.all(Array.from({ length: 6 }, () => browser.send(VERIFY, input)))
  expect(answers.map(({ response }) => response.status).sort()).toEqual([200, 422, 422, 422, 422, 422])
  expect(await people(t)).toHaveLength(1)
  const { rows } = await t.ctx.db.query<{ count: bigint }>({ text: 'SELECT count(*) FROM accounts WHERE user_id > 0' })
  expect(rows[0]?.count).toBe(1n)
})

test('a code is resent at most once in 60 s, without a word about it', async () => {
  await using t = await startTestApp()
  const browser = openCookieJar(t)
  await browser.call(REGISTER, form(ANNA))
  const first = await codeFor(t, ANNA)
  t.clock.advance(60 * SECOND - 1)
  expect(await browser.call(RESEND, { email: ANNA })).toEqual({ status: true })
  expect(await mailsTo(t, ANNA)).toHaveLength(1)
  t.clock.advance(1)
  expect(await browser.call(RESEND, { email: ANNA }, { locale: 'en' })).toEqual({ status: true })
  const mails = await mailsTo(t, ANNA)
  expect(mails.map(({ locale }) => locale)).toEqual(['ru', 'en'])
  const second = await codeFor(t, ANNA)
  if (second !== first)
    expect(await short(browser.refused(VERIFY, { email: ANNA, code: first }))).toBe('422 WRONG_CODE')
  await browser.call(VERIFY, { email: ANNA, code: second })
})

test('an address that became somebody’s meanwhile cannot be registered any more', async () => {
  await using t = await startTestApp()
  const browser = openCookieJar(t)
  await browser.call(REGISTER, form(ANNA))
  const input = { email: ANNA, code: await codeFor(t, ANNA) }
  const owner = await t.makeUser({ email: 'Anna@example.test' })
  expect(await short(browser.refused(VERIFY, input))).toBe('422 CODE_EXPIRED')
  expect((await people(t)).map(({ id }) => id)).toEqual([owner.id])
})

test('who has the password but not yet the code is sent to it, and gets a fresh one when the last has died', async () => {
  await using t = await startTestApp()
  const browser = openCookieJar(t)
  await browser.call(REGISTER, form(ANNA))
  const login = { email: ANNA, password: GOOD_PASSWORD }
  const refusal = await browser.refused(LOGIN, login)
  expect(refusal).toMatchObject({ status: 422, body: { code: 'EMAIL_NOT_VERIFIED', data: { action: 'verify-email' } } })
  expect(await mailsTo(t, ANNA)).toHaveLength(1)
  t.clock.advance(11 * MINUTE)
  expect(await short(browser.refused(LOGIN, { ...login, password: 'not this password' }))).toBe('422 WRONG_CREDENTIALS')
  expect(await mailsTo(t, ANNA)).toHaveLength(1)
  expect(await short(browser.refused(LOGIN, login))).toBe('422 EMAIL_NOT_VERIFIED')
  expect(await mailsTo(t, ANNA)).toHaveLength(2)
  await browser.call(VERIFY, { email: ANNA, code: await codeFor(t, ANNA) })
})

test('with captchas on, a registration without a solved one is refused', async () => {
  await using t = await startTestApp({ config: { captchaEnabled: '2' } })
  const browser = openCookieJar(t)
  expect(await short(browser.refused(REGISTER, form(ANNA)))).toBe('422 CAPTCHA_FAILED')
  expect(await short(browser.refused(REGISTER, form(ANNA, { captcha: 'AAAA' })))).toBe('422 CAPTCHA_FAILED')
  expect(await mailsTo(t, ANNA)).toEqual([])
})

test('what waits is kept so that nobody can use it, and for a day', async () => {
  await using t = await startTestApp()
  const browser = openCookieJar(t)
  await browser.call(REGISTER, form(ANNA))
  const stored = async () => {
    const { rows } = await t.ctx.db.query<{ row: string }>({
      text: 'SELECT registrations::text AS row FROM registrations',
    })
    return rows.map(({ row }) => row).join('\n')
  }
  expect(await stored()).toContain('$argon2id$')
  expect(await stored()).not.toContain(GOOD_PASSWORD)
  expect(await stored()).not.toContain(await codeFor(t, ANNA))
  t.clock.advance(DAY - 1)
  await cleanUp(t.ctx)
  expect(await stored()).not.toBe('')
  t.clock.advance(1)
  expect(await short(browser.refused(LOGIN, { email: ANNA, password: GOOD_PASSWORD }))).toBe('422 WRONG_CREDENTIALS')
  await cleanUp(t.ctx)
  expect(await stored()).toBe('')
})
