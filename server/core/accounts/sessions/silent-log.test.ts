import { inspect } from 'node:util'
import { expect, test } from 'vitest'
import { sentMails } from '#test/builders/mails.ts'
import { codeNow, turnOnTwoFactor } from '#test/builders/second-factor.ts'
import { call, refused, send } from '#test/harness/calls.ts'
import { openCookieJar } from '#test/harness/cookie-jar.ts'
import { startTestApp, type TestApp } from '#test/harness/harness.ts'

const LOGIN = 'POST /api/login'

const logged = (t: TestApp) => inspect(t.log.lines, { depth: 20, maxArrayLength: null, maxStringLength: null })

function cookiesIn(response: Response): string[] {
  return response.headers.getSetCookie().map((line) => line.split(/[=;]/)[1] ?? '')
}

test('no password, code, token or key is in the log, whatever goes well or wrong', async () => {
  await using t = await startTestApp()
  const secrets: string[] = [t.ctx.secrets.secretKey]
  const user = await t.makeUser()
  secrets.push(user.password, user.token, await t.makeApiKey(user))

  const registration = { email: 'new@example.test', password: 'correct horse battery' }
  const browser = openCookieJar(t)
  await browser.call('POST /api/register', {
    ...registration,
    password_confirmation: registration.password,
    agree: true,
  })
  await browser.refused(LOGIN, registration)
  secrets.push(browser.cookies.get('registration') ?? '')
  const mail = (await sentMails(t)).at(-1)?.mail
  const code = mail?.kind === 'verify-email' ? mail.code : ''
  expect(code).toMatch(/^\d{6}$/)
  const verified = await browser.send('POST /api/verify-email', { email: registration.email, code })
  expect(verified.response.status).toBe(200)
  secrets.push(registration.password, code, ...cookiesIn(verified.response).filter((value) => value !== ''))

  const { secret, recoveryCodes } = await turnOnTwoFactor(t, user)
  const one_time_password = await codeNow(t, secret)
  const login = { email: user.email, password: user.password }
  await refused(t, LOGIN, { ...login, password: 'a wrong guess of somebody' })
  await refused(t, LOGIN, { ...login, one_time_password: 'aaaaa-bbbbb' })
  const signedIn = await send(t, LOGIN, { ...login, one_time_password })
  expect(signedIn.response.status).toBe(200)
  await refused(t, LOGIN, { ...login, one_time_password })
  await call(t, LOGIN, { ...login, one_time_password: recoveryCodes[0] ?? '' })
  const [access = '', refresh = '', device = ''] = cookiesIn(signedIn.response)
  secrets.push('a wrong guess of somebody', 'aaaaa-bbbbb', secret, one_time_password, ...recoveryCodes)
  secrets.push(access, refresh, device)

  const refreshed = () =>
    t.fetch('/api/refresh', { method: 'POST', headers: { cookie: `refresh_token=${refresh}`, origin: t.url } })
  secrets.push(...cookiesIn(await refreshed()))
  t.clock.advance(61_000)
  expect((await refreshed()).status).toBe(401)

  await t.ctx.db.query({ text: 'ALTER TABLE sessions RENAME COLUMN user_agent TO agent' })
  t.clock.advance(60_000)
  const failed = await send(t, LOGIN, { ...login, one_time_password: await codeNow(t, secret) })
  expect(failed.response.status).toBe(500)
  secrets.push(await codeNow(t, secret))

  const log = logged(t)
  expect(log).toContain('a spent refresh token came again')
  expect(log).toContain('a request failed')
  for (const hidden of secrets) {
    expect(hidden.length).toBeGreaterThanOrEqual(6)
    expect(log.includes(hidden), `the log holds ${hidden}`).toBe(false)
  }
})
