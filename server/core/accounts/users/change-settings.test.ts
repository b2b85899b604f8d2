import { expect, test } from 'vitest'
import { FIRST_SETTINGS } from '#contract/settings/user-settings.ts'
import { sentMails } from '#test/builders/mails.ts'
import { call, refused } from '#test/harness/calls.ts'
import { startTestApp } from '#test/harness/harness.ts'

const CHANGE = 'PATCH /api/v1/user/settings'
const FIRST = { ...FIRST_SETTINGS, locale: 'ru' }

test('3.1: settings change one by one, for the person alone', async () => {
  await using t = await startTestApp()
  const [user, other] = [await t.makeUser(), await t.makeUser()]
  const settingsOf = async ({ token }: { token: string }) => (await call(t, 'GET /api/user', {}, { token })).settings
  expect(await settingsOf(user)).toEqual(FIRST)
  expect(FIRST).toMatchObject({ copying_code: true, confirmation_actions: false, sound_new_sms: true })
  expect(await call(t, CHANGE, { sound_new_sms: false }, { token: user.token })).toEqual({ status: true })
  await call(t, CHANGE, { confirmation_actions: true }, { token: user.token })
  await call(t, CHANGE, {}, { token: user.token })
  expect(await settingsOf(user)).toEqual({ ...FIRST, confirmation_actions: true, sound_new_sms: false })
  expect(await settingsOf(other)).toEqual(FIRST)
})

test('two settings changed at once are both kept', async () => {
  await using t = await startTestApp()
  const { token } = await t.makeUser()
  await Promise.all([
    call(t, CHANGE, { copying_code: false }, { token }),
    call(t, CHANGE, { locale: 'en', volume: 0 }, { token }),
    call(t, CHANGE, { confirmation_actions: true }, { token }),
  ])
  const { settings } = await call(t, 'GET /api/user', {}, { token })
  expect(settings).toEqual({ ...FIRST, copying_code: false, confirmation_actions: true, locale: 'en', volume: 0 })
})

test('what the panel begins with and its ceiling are kept, and given up by null', async () => {
  await using t = await startTestApp()
  const { token } = await t.makeUser()
  const chosen = {
    default_service_id: 'tg',
    default_country_id: 2,
    last_service_id: 'wa',
    last_country_id: 0,
    max_price: '12.5',
    time_zone: 'Asia/Almaty',
    sound: 'wood' as const,
    remember_choice: false,
  }
  await call(t, CHANGE, chosen, { token })
  const { settings } = await call(t, 'GET /api/user', {}, { token })
  expect(settings).toEqual({ ...FIRST, ...chosen, max_price: '12.50' })
  const none = { default_service_id: null, default_country_id: null, max_price: null, time_zone: null }
  await call(t, CHANGE, none, { token })
  expect((await call(t, 'GET /api/user', {}, { token })).settings).toMatchObject(none)
})

test('each setting is checked, and a refused one changes nothing beside it', async () => {
  await using t = await startTestApp()
  const { token } = await t.makeUser()
  const wrong: Record<string, unknown> = {
    copying_code: 'yes',
    sound_new_sms: null,
    sound: 'siren',
    volume: 101,
    locale: 'fr',
    time_zone: 'Mars/Olympus',
    default_service_id: 'no-such-service',
    default_country_id: 999_999,
    last_service_id: '../../etc',
    last_country_id: -1,
    max_price: '0',
    remember_choice: 1,
    theme: 'dark',
  }
  for (const [name, value] of Object.entries(wrong)) {
    const refusal = await refused(t, CHANGE, { copying_code: false, [name]: value }, { token })
    expect([refusal.status, Object.keys(refusal.body.errors ?? {})]).toEqual([422, [name]])
  }
  for (const price of ['-5', '1e9', 'much', '12,50']) {
    expect((await refused(t, CHANGE, { max_price: price }, { token })).body.errors).toHaveProperty('max_price')
  }
  expect((await call(t, 'GET /api/user', {}, { token })).settings).toEqual(FIRST)
  expect((await refused(t, CHANGE, { copying_code: true })).status).toBe(401)
})

test('the language that was chosen is that of letters, and of a browser that has chosen none', async () => {
  await using t = await startTestApp()
  const user = await t.makeUser()
  const signIn = async (headers: Record<string, string> = {}) => {
    const payload = { email: user.email, password: user.password }
    const reply = await t.app.inject({ method: 'POST', url: '/api/login', payload, headers })
    return reply.cookies.find(({ name }) => name === 'locale')?.value
  }
  expect(await signIn()).toBeUndefined()
  await call(t, CHANGE, { locale: 'en' }, user)
  expect(await signIn()).toBe('en')
  expect(await signIn({ cookie: 'locale=ru' })).toBeUndefined()
  const { rows } = await t.ctx.db.query({ text: 'SELECT locale FROM users WHERE id = $1', values: [user.id] })
  expect(rows).toEqual([{ locale: 'en' }])
})

test('a draft of a language that the site offers is kept for the interface, and letters are English', async () => {
  await using t = await startTestApp({ environment: { LOCALES: 'ru,en,es,zh' } })
  const user = await t.makeUser()
  await call(t, CHANGE, { locale: 'zh' }, user)
  expect((await call(t, 'GET /api/user', {}, user)).settings.locale).toBe('zh')
  for (const agent of ['Firefox/145.0', 'Mobile Safari/604.1']) {
    const payload = { email: user.email, password: user.password }
    const headers = { 'user-agent': agent, locale: 'ru' }
    const reply = await t.app.inject({ method: 'POST', url: '/api/login', payload, headers })
    expect(reply.cookies.find(({ name }) => name === 'locale')?.value).toBe('zh')
  }
  expect((await sentMails(t)).map(({ locale, mail }) => [locale, mail.kind])).toEqual([['en', 'new-device']])
})

test('a draft that the site does not offer is refused', async () => {
  await using t = await startTestApp()
  const { token } = await t.makeUser()
  expect(await refused(t, CHANGE, { locale: 'es' }, { token, locale: 'en' })).toMatchObject({
    status: 422,
    body: { errors: { locale: [expect.stringMatching(/ru, en$/)] } },
  })
  expect((await call(t, 'GET /api/user', {}, { token })).settings).toEqual(FIRST)
})
