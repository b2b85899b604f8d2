import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type OidcHouse, startOidcHouse } from '#test/fakes/social/oidc-house.ts'
import { freePort } from '#test/harness/free-port.ts'
import {
  boxesReady,
  callApi,
  complaintsBut,
  expectSignedIn,
  expectSignedOut,
  newEmail,
  newPerson,
  openDialog,
  type Person,
  signInAs,
  withTwoFactor,
} from './support/accounts.ts'
import { browser, hasKeyboard, type Visit } from './support/browser.ts'
import { type DemoServer, startDemoServer } from './support/demo-server.ts'

let house: OidcHouse
let server: DemoServer

beforeAll(async () => {
  // A sign-in provider redirects only to registered addresses, so the port is chosen before the server starts.
  const port = await freePort()
  const here = `http://localhost:${port}/auth/google`
  house = await startOidcHouse([`${here}/callback`, `${here}/link-callback`])
  server = await startDemoServer({
    PORT: String(port),
    PUBLIC_URL: `http://localhost:${port}`,
    GOOGLE_CLIENT_ID: house.clientId,
    GOOGLE_CLIENT_SECRET: house.clientSecret,
    GOOGLE_ISSUER: house.issuer,
  })
})
afterAll(async () => {
  await server?.[Symbol.asyncDispose]()
  await house?.[Symbol.asyncDispose]()
})

/** Makes the provider sign in a new person from now on. Returns the person's e-mail address. */
function somebody(): string {
  const email = newEmail()
  house.person = { sub: randomUUID(), name: 'Anna', email, email_verified: true }
  return email
}

async function linkProfile({ page, context }: Visit, { token }: Person): Promise<void> {
  const headers = { authorization: `Bearer ${token}` }
  const reply = await context.request.get(`${server.url}/api/auth/google/redirect?purpose=link`, { headers })
  await page.goto(((await reply.json()) as { url: string }).url)
}

test('logging in through a social service, to the page that was wanted', async () => {
  somebody()
  await using visit = await browser.open(`${server.url}/activations`)
  const { page } = visit
  await page.getByRole('dialog').getByRole('button', { name: 'Log in with Google' }).click()
  await page.waitForURL(`${server.url}/activations`)
  await expectSignedIn(page)
  await page.goBack()
  expect(page.url()).not.toContain('code=')
  expect(visit.complaints).toEqual([])
})

test('a visitor who came by a referral brings it along', async () => {
  somebody()
  await using visit = await browser.open(`${server.url}/?ref=17`)
  const { page } = visit
  await page.getByRole('dialog', { name: 'Register' }).getByRole('button', { name: 'Log in' }).click()
  const asked = page.waitForRequest('**/api/auth/google/callback?**')
  await page.getByRole('button', { name: 'Log in with Google' }).click()
  expect((await asked).headers()).toMatchObject({ 'referral-id': '17' })
  await expectSignedIn(page)
  expect(visit.complaints).toEqual([])
})

test('whoever was logged in is logged out first', async () => {
  const person = await newPerson(server)
  const email = somebody()
  await using visit = await browser.open(server.url)
  const { page, context } = visit
  const other = await context.newPage()
  await other.goto(server.url)
  await signInAs(page, person)
  await expectSignedIn(other)
  const reply = await context.request.get(`${server.url}/api/auth/google/redirect`)
  await page.goto(((await reply.json()) as { url: string }).url)
  await page.waitForURL(`${server.url}/`)
  for (const each of [page, other]) {
    const shown = each.getByRole('banner').getByText(email)
    // An open menu closes when the session changes, so it is opened again until it names the new person.
    const namesNew = async () => {
      await each.getByRole('banner').getByRole('button', { name: 'Menu' }).click()
      const isNew = await shown.waitFor({ timeout: 2_000 }).then(
        () => true,
        () => false,
      )
      await each.keyboard.press('Escape')
      return isNew
    }
    await expect.poll(namesNew, { timeout: 30_000 }).toBe(true)
  }
  expect(complaintsBut(visit, 401)).toEqual([])
})

test('a forged answer of a service signs nobody in: home, with the words of the server', async () => {
  await using visit = await browser.open(`${server.url}/auth/google/callback?code=made-up&state=made-up`)
  const { page } = visit
  await page.getByText('We couldn’t log you in with this service').waitFor()
  expect(page.url()).toBe(`${server.url}/`)
  await expectSignedOut(page)
  expect(await page.getByRole('dialog').count()).toBe(0)
  expect(complaintsBut(visit, 422)).toEqual([])
})

test('a profile is linked, opens the reward, and logs in with the second factor', async () => {
  const person = await newPerson(server)
  somebody()
  await using visit = await browser.open(server.url)
  const { page, context } = visit
  await signInAs(page, person)
  await expectSignedIn(page)
  await context.addCookies([{ name: 'reward', value: '1', url: server.url }])
  await linkProfile(visit, person)
  const told = page.getByRole('dialog', { name: 'Profile linked' })
  await told.waitFor()
  expect(page.url()).toBe(`${server.url}/`)
  expect((await context.cookies()).filter(({ name }) => name === 'reward')).toEqual([])
  await hasKeyboard(told)
  await page.keyboard.press('Enter')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  const { nextCode } = await withTwoFactor(server, person)
  await callApi(server, 'DELETE /api/v1/user/sessions', null, person.token)
  await page.getByRole('dialog', { name: 'Log in' }).getByRole('button', { name: 'Log in with Google' }).click()
  await page.getByRole('dialog', { name: 'Two-factor login' }).waitFor()
  await boxesReady(page)
  await page.keyboard.type(nextCode)
  await expectSignedIn(page)
  expect(complaintsBut(visit, 401, 422)).toEqual([])
})

test.each(['/auth/google/callback?code=x&state=y', '/auth/google/link-callback', '/check/reset-password?token=x'])(
  '%s is the home page, never indexed',
  async (path) => {
    const reply = await fetch(server.url + path)
    const html = await reply.text()
    expect(reply.status).toBe(200)
    expect(html).toContain('Telegram')
    expect(html).toContain('<meta name="robots" content="noindex, nofollow"/>')
    expect(html).not.toContain('rel="canonical"')
  },
)

test('no button leads to a service that is not set up', async () => {
  await using visit = await browser.open(server.url)
  const dialog = await openDialog(visit.page, 'Log in')
  await dialog.getByRole('button', { name: 'Log in with Google' }).waitFor()
  expect(await dialog.getByRole('button', { name: /^Log in with (?!a passkey)/ }).count()).toBe(1)
})
