import { generate } from 'otplib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type OidcHouse, startOidcHouse } from '#test/fakes/social/oidc-house.ts'
import { TELEGRAM_TOKEN } from '#test/fakes/telegram/telegram-house.ts'
import { complaintsBut, expectSignedIn, newPerson, type Person, signInAs } from './accounts.ts'
import { findingsOfViews } from './axe.ts'
import { browser, hasHydrated, type Look } from './browser.ts'
import { type DemoServer, startDemoServer } from './demo-server.ts'
import { alert, group, openSettings } from './settings-page.ts'

let house: OidcHouse
let server: DemoServer

beforeAll(async () => {
  house = await startOidcHouse()
  server = await startDemoServer({
    GOOGLE_CLIENT_ID: house.clientId,
    GOOGLE_CLIENT_SECRET: house.clientSecret,
    GOOGLE_ISSUER: house.issuer,
    TELEGRAM_CLIENT_ID: house.clientId,
    TELEGRAM_CLIENT_SECRET: house.clientSecret,
    TELEGRAM_ISSUER: house.issuer,
    TELEGRAM_BOT_TOKEN: TELEGRAM_TOKEN,
    TELEGRAM_BOT_NAME: 'ringpost_bot',
    TELEGRAM_CHANNEL: 'ringpost_news',
    TELEGRAM_API_ROOT: 'http://127.0.0.1:9',
    TELEGRAM_SUBSCRIBE_REWARD_RUB: '50.00',
  })
  const back = ['google', 'telegram'].flatMap((provider) => [`${provider}/callback`, `${provider}/link-callback`])
  await house.allow(back.map((path) => `${server.url}/auth/${path}`))
})
afterAll(async () => {
  await server?.[Symbol.asyncDispose]()
  await house?.[Symbol.asyncDispose]()
})

const openAs = (person: Pick<Person, 'id'>, path: string, look: Look = {}) =>
  openSettings(server, person, { path, ...look })

test('the settings are for members, found in the menu, and walked by the keyboard alone', async () => {
  const person = await newPerson(server)
  await using visit = await browser.open(server.url)
  const { page } = visit
  await signInAs(page, person)
  await expectSignedIn(page)
  // A page loads at first only the texts that it shows before a sign-in.
  await page.reload()
  await page.getByRole('banner').getByRole('button', { name: 'Menu' }).press('Enter')
  await page.getByRole('link', { name: 'Settings' }).press('Enter')
  await page.waitForURL('**/settings')
  await page.getByRole('main').getByText(person.email).waitFor()
  const sections = page.getByRole('navigation', { name: 'Settings sections' })
  await sections.getByRole('link', { name: 'Security' }).press('Enter')
  await page.waitForURL('**/settings/security')
  // The navigation replaced the whole screen, but the focus must stay where it was.
  await group(page, 'Password').waitFor()
  await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe('Security')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await page.waitForURL('**/settings/sessions')
  await page.getByText('This device').waitFor()
  expect(await sections.getByRole('link', { name: 'Sessions' }).getAttribute('aria-current')).toBe('page')
  expect(visit.complaints).toEqual([])
})

test('preferences are in force at once, survive a reload, and go back when they cannot be saved', async () => {
  const person = await newPerson(server)
  await using visit = await openAs(person, '/settings/other')
  const { page } = visit
  const sound = page.getByRole('switch', { name: 'Play a sound' })
  const copying = page.getByRole('switch', { name: 'Copy the code automatically' })
  expect([await sound.isChecked(), await copying.isChecked()]).toEqual([true, true])
  const saved = page.waitForResponse((reply) => reply.request().method() === 'PATCH')
  await sound.click()
  expect((await saved).status()).toBe(200)
  await page.reload()
  expect([await sound.isChecked(), await copying.isChecked()]).toEqual([false, true])
  await page.route('**/api/v1/user/settings', (route) => route.fulfill({ status: 500, json: {} }))
  await copying.click()
  await alert(page, 'Server error. Try again later.')
  await expect.poll(() => copying.isChecked()).toBe(true)
  expect(complaintsBut(visit, 500)).toEqual([])
})

test('a profile is linked at its provider and unlinked after a question', async () => {
  const person = await newPerson(server)
  await using visit = await openAs(person, '/settings')
  const { page } = visit
  const part = group(page, 'Other ways to log in')
  expect(await part.getByRole('listitem').allInnerTexts()).toEqual([
    expect.stringContaining('Not linked'),
    expect.stringMatching(/Telegram.*50\.00\s₽ for joining our channel/s),
  ])
  const answer = page.waitForResponse('**/api/auth/google/link-callback?**')
  await part.getByRole('button', { name: 'Link Google' }).click()
  expect((await answer).status()).toBe(200)
  await page.goto(`${server.url}/settings`)
  await part.getByText('Anna').waitFor()
  await part.getByRole('button', { name: 'Unlink Google' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Unlink' }).click()
  await part.getByText('Not linked').waitFor()
  expect(visit.complaints).toEqual([])
})

test('3.12, 4.10: a Telegram profile linked for the reward leads home to its dialog, once', async () => {
  const person = await newPerson(server)
  await using visit = await openAs(person, '/settings')
  const { page, context } = visit
  await group(page, 'Other ways to log in').getByRole('button', { name: 'Link Telegram' }).click()
  const dialog = page.getByRole('dialog', { name: 'Channel reward' })
  await dialog.getByText('50.00\u00a0₽ for joining our Telegram channel').waitFor()
  expect(page.url()).toBe(`${server.url}/`)
  expect((await context.cookies()).filter(({ name }) => name === 'reward')).toEqual([])
  await dialog.getByRole('link', { name: 'Connect Telegram' }).click()
  await page.getByRole('region', { name: 'Telegram', exact: true }).waitFor()
  expect(await page.getByRole('dialog').count()).toBe(0)
  expect(visit.complaints).toEqual([])
})

test('what does not load says so, and comes when it is asked for again', async () => {
  const person = await newPerson(server)
  await using visit = await openAs(person, '/settings')
  const { page } = visit
  // Before hydration the link would load the document, whose data come with it.
  await hasHydrated(page)
  await page.route('**/api/v1/user/sessions', (route) => route.abort())
  await page.getByRole('link', { name: 'Sessions', exact: true }).click()
  const failure = page.getByRole('alert').filter({ hasText: 'This didn’t load' })
  await failure.waitFor()
  await page.unroute('**/api/v1/user/sessions')
  await failure.getByRole('button', { name: 'Try again' }).click()
  await page.getByText('This device').waitFor()
})

test('the screens come from the server, and never to a visitor', async () => {
  const person = await newPerson(server)
  await using visit = await openAs(person, '/settings')
  const cookies = await visit.context.cookies()
  const cookie = cookies.map(({ name, value }) => `${name}=${value}`).join('; ')
  for (const [path, words] of [
    ['/settings', person.email],
    ['/settings/other', 'When a code arrives'],
    ['/settings/security', 'Two-factor login'],
    ['/settings/sessions', 'This device'],
  ] as const) {
    const page = await (await fetch(server.url + path, { headers: { cookie } })).text()
    expect(page).toContain(words)
    expect(page).toContain('noindex')
    const reply = await fetch(server.url + path, { redirect: 'manual' })
    expect([reply.status, reply.headers.get('location')]).toEqual([
      302,
      `/?login=1&redirect=${encodeURIComponent(path)}`,
    ])
  }
})

test('axe finds nothing and nothing scrolls sideways', async () => {
  const person = await newPerson(server)
  await using visit = await openAs(person, '/settings')
  const { page } = visit
  const check = async () => {
    expect(await findingsOfViews(page)).toEqual([])
  }
  await check()
  await page.goto(`${server.url}/settings/other`)
  await check()
  await page.goto(`${server.url}/settings/sessions`)
  await check()
  await page.goto(`${server.url}/settings/security`)
  await check()
  const part = group(page, 'Two-factor login')
  await part.getByRole('button', { name: 'Turn on' }).click()
  const secret = (await part.locator('code').innerText()).replaceAll(' ', '')
  await check()
  await page.keyboard.type(await generate({ secret }))
  await part.getByRole('heading', { name: 'Recovery codes' }).waitFor()
  await check()
  await part.getByRole('button', { name: 'I’ve saved them' }).click()
  await part.getByRole('button', { name: 'Turn off' }).click()
  await check()
  expect(visit.complaints).toEqual([])
})
