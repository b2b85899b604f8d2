import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { callApi, mailsTo, newPerson } from './support/accounts.ts'
import { demoOfFile, startDemoServer } from './support/demo-server.ts'
import { openSettings } from './support/settings-page.ts'

const server = demoOfFile({ LOCALES: 'ru,en,es,zh' })

type Texts = Record<string, string>
const textsOf = (path: string) =>
  JSON.parse(readFileSync(new URL(`../../web/locales/${path}.json`, import.meta.url), 'utf8')) as Texts

test('the home page comes from the server in a draft, with names in English', async () => {
  for (const [locale, name] of [
    ['es', 'Español (borrador)'],
    ['zh', '中文 (草稿)'],
  ] as const) {
    const html = await (await fetch(server.url, { headers: { cookie: `locale=${locale}` } })).text()
    const { home, language } = textsOf(`${locale}/initial/header`)
    expect(html).toContain(`<html lang="${locale}"`)
    for (const words of [`>${home}<`, `"${language?.replace('{name}', name)}"`, 'Kazakhstan'])
      expect(html).toContain(words)
  }
})

test('a site whose settings name no draft offers none', async () => {
  await using plain = await startDemoServer()
  const html = await (await fetch(plain.url, { headers: { cookie: 'locale=es', 'accept-language': 'zh' } })).text()
  expect(html).toContain('<html lang="ru"')
})

test('a member changes to a draft in the settings, keeps it in another browser, and is written to in English', async () => {
  const person = await newPerson(server)
  await using visit = await openSettings(server, person, { path: '/settings/other' })
  const { page } = visit
  const stored = page.waitForResponse((one) => one.request().method() === 'PATCH')
  await page.getByRole('region').getByLabel('Language').selectOption('Español (borrador)')
  expect((await stored).status()).toBe(200)
  const { title = '' } = textsOf('es/lazy/account/settings')
  await page.getByRole('heading', { level: 1, name: title }).waitFor()
  expect(await page.evaluate(() => document.documentElement.lang)).toBe('es')
  const user = await callApi<{ settings: Texts }>(server, 'GET /api/user', null, person.token)
  expect(user.settings.locale).toBe('es')
  const headers = { 'content-type': 'application/json', 'user-agent': 'Firefox/145.0' }
  const body = JSON.stringify({ email: person.email, password: person.password })
  const other = await fetch(`${server.url}/api/login`, { method: 'POST', headers, body })
  expect(other.headers.getSetCookie().some((line) => line.startsWith('locale=es;'))).toBe(true)
  const [mail] = await mailsTo(server, person.email)
  expect([mail?.subject, mail?.html]).toEqual([
    'New device logged in to Ringpost',
    expect.stringContaining('lang="en"'),
  ])
  await page.goto(server.url)
  const label = textsOf('es/initial/header').language?.replace('{name}', 'Español (borrador)') ?? ''
  await page.getByRole('banner').getByRole('button', { name: label }).click()
  await page.getByRole('button', { name: '中文 (草稿)' }).click()
  await expect.poll(() => page.evaluate(() => document.documentElement.lang)).toBe('zh')
  await page
    .getByRole('link', { name: textsOf('zh/initial/header').home ?? '', exact: true })
    .first()
    .waitFor()
  expect(visit.complaints).toEqual([])
})
