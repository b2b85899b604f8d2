import { hash } from '@node-rs/argon2'
import { generate } from 'otplib'
import type { Locator, Page } from 'playwright-core'
import { expect } from 'vitest'
import { parseDecimal } from '#contract/money.ts'
import { makeApiKey } from '#server/core/accounts/api-keys/api-key.ts'
import { replaceApiKey } from '#server/core/accounts/api-keys/queries.ts'
import { insertSession, noteSignIn } from '#server/core/accounts/sessions/queries.ts'
import { firstTokens, type Tokens, toStored } from '#server/core/accounts/sessions/tokens.ts'
import { createUser } from '#server/core/accounts/users/create-user.ts'
import { systemRandom } from '#server/house/clock.ts'
import type { Pool } from '#server/house/db/pool.ts'
import { transaction } from '#server/house/db/transaction.ts'
import { adjustBalance } from '#server/house/money/credit.ts'
import type { DemoServer } from './demo-server.ts'

/** A password that passes the rules: it is uncommon, and contains no part of the tests' e-mail addresses. */
export const PASSWORD = 'quiet-harbour-27'

type DemoMail = { to: string; subject: string; text: string; html: string; at: string }

let people = 0
export function newEmail(): string {
  people += 1
  return `person-${people}-${Date.now().toString(36)}@example.org`
}

/** Returns the mails to an address, newest first, once there are `count` of them. */
export async function mailsTo(server: DemoServer, email: string, count = 1): Promise<DemoMail[]> {
  const read = async () => {
    const reply = await fetch(`${server.url}/demo/mail.json`)
    return ((await reply.json()) as DemoMail[]).filter(({ to }) => to === email)
  }
  await expect.poll(async () => (await read()).length).toBeGreaterThanOrEqual(count)
  return read()
}

export async function mailedCode(server: DemoServer, email: string, count = 1): Promise<string> {
  const [mail] = await mailsTo(server, email, count)
  const code = /\b\d{6}\b/.exec(mail?.text ?? '')?.[0]
  if (code === undefined) throw new Error(`no code in ${mail?.text}`)
  return code
}

export const wrongCodeFor = (code: string): string => (code === '000000' ? '111111' : '000000')

/** Makes an API call as a program does. Rejects unless the call succeeds. */
export async function callApi<Reply>(
  server: DemoServer,
  call: string,
  body: object | null,
  token?: string,
): Promise<Reply> {
  const [method = '', path = ''] = call.split(' ')
  const reply = await fetch(server.url + path, {
    method,
    headers: {
      ...(body !== null && { 'content-type': 'application/json' }),
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
    },
    ...(body !== null && { body: JSON.stringify(body) }),
  })
  const answer = (await reply.json()) as Reply
  if (!reply.ok) throw new Error(`${call} answered ${reply.status}: ${JSON.stringify(answer)}`)
  return answer
}

export type Person = { id: number; email: string; password: string; token: string }

/** Hashing is slow on purpose, so tests use the cheapest parameters of argon2. */
const passwordHash = hash(PASSWORD, { memoryCost: 8, timeCost: 1, parallelism: 1 })

/**
 * Inserts a person with a confirmed address and this balance directly into the database, without the registration form.
 */
export async function newPerson({ pool }: DemoServer, { balance = '0' } = {}): Promise<Person> {
  const email = newEmail()
  const now = new Date()
  const known = { email, name: '', zone: 'ru', locale: 'ru', currency: 'rub', role: 'user', now } as const
  const user = { ...known, passwordHash: await passwordHash, emailVerifiedAt: now }
  const id = await transaction(pool, (tx) => createUser(tx, user))
  if (id === null) throw new Error(`${email} is taken`)
  const amountMicros = parseDecimal(balance) ?? 0n
  if (amountMicros > 0n) await adjustBalance(pool, { userId: id, amountMicros, idempotencyKey: `first-${id}`, at: now })
  await noteSignIn(pool, { userId: id, now })
  return { id, email, password: PASSWORD, token: (await newSession(pool, id)).access }
}

export const newBuyer = (server: DemoServer): Promise<Person> => newPerson(server, { balance: '1000' })

export async function newApiKey({ pool }: DemoServer, { id: userId }: Person): Promise<string> {
  const apiKey = makeApiKey(systemRandom)
  await replaceApiKey(pool, { userId, apiKey, now: new Date() })
  return apiKey
}

export async function sessionCookies({ pool, url }: DemoServer, { id }: Pick<Person, 'id'>) {
  const { access, refresh } = await newSession(pool, id)
  const own = { url: new URL(url).origin, httpOnly: true, sameSite: 'Lax' } as const
  return [
    { ...own, name: 'auth_token', value: access },
    { ...own, name: 'refresh_token', value: refresh },
  ]
}

async function newSession(pool: Pool, userId: number): Promise<Tokens> {
  const now = new Date()
  const tokens = firstTokens({ random: systemRandom })
  await insertSession(pool, { ...toStored(tokens, now), userId, userAgent: 'test', address: '127.0.0.1', now })
  return tokens
}

const STEP_SECONDS = 30

/**
 * Switches two-factor authentication on. `nextCode` returns the next time step's code, because the current one is used.
 */
export async function withTwoFactor(
  server: DemoServer,
  person: Person,
): Promise<{ nextCode: string; recoveryCodes: string[] }> {
  const { secret } = await callApi<{ secret: string }>(server, 'POST /api/v1/user/two-factor', {}, person.token)
  const epoch = Math.floor(Date.now() / 1000)
  const confirmed = await callApi<{ recovery_codes: string[] }>(
    server,
    'POST /api/v1/user/two-factor/confirm',
    { code: await generate({ secret, epoch }) },
    person.token,
  )
  return {
    nextCode: await generate({ secret, epoch: epoch + STEP_SECONDS }),
    recoveryCodes: confirmed.recovery_codes,
  }
}

export async function openDialog(page: Page, name: 'Log in' | 'Register'): Promise<Locator> {
  await page.getByRole('banner').getByRole('button', { name, exact: true }).click()
  const dialog = page.getByRole('dialog')
  await dialog.waitFor()
  return dialog
}

export async function signInAs(page: Page, person: Pick<Person, 'email' | 'password'>): Promise<void> {
  await fillLogin(await openDialog(page, 'Log in'), person)
}

export async function fillLogin(dialog: Locator, person: Pick<Person, 'email' | 'password'>): Promise<void> {
  await dialog.getByLabel('E-mail').fill(person.email)
  await dialog.getByLabel('Password', { exact: true }).fill(person.password)
  await dialog.getByRole('button', { name: 'Log in', exact: true }).click()
}

export async function fillRegistration(dialog: Locator, person: Pick<Person, 'email' | 'password'>): Promise<void> {
  await dialog.getByLabel('E-mail').fill(person.email)
  await dialog.getByLabel('Password', { exact: true }).fill(person.password)
  await dialog.getByLabel('Repeat password').fill(person.password)
  await dialog.getByRole('checkbox').check()
  await dialog.getByRole('button', { name: 'Send code' }).click()
}

export const boxes = (page: Page): Locator => page.getByRole('dialog').getByRole('group').getByRole('textbox')

/** Waits until the input boxes for a code have the focus. When the dialog opens, the dialog itself has it. */
export async function boxesReady(page: Page): Promise<void> {
  await expect
    .poll(() =>
      boxes(page)
        .first()
        .evaluate((box) => box === document.activeElement),
    )
    .toBe(true)
}

export async function boxValues(page: Page): Promise<string> {
  return (await boxes(page).evaluateAll((inputs) => inputs.map((input) => (input as HTMLInputElement).value))).join('')
}

export async function expectSignedIn(page: Page): Promise<void> {
  await page.locator('header').getByText(/₽/).first().waitFor()
}

export async function expectSignedOut(page: Page): Promise<void> {
  // Elements behind an open dialog have no role, so the button is found by its text.
  await page.locator('header').getByText('Log in').waitFor()
}

/** Returns a page's console errors, except calls refused with these statuses. A sign-out may cause 401. */
export function complaintsBut(visit: { complaints: string[] }, ...statuses: number[]): string[] {
  const noted = new RegExp(`^Failed to load resource: the server responded with a status of (${statuses.join('|')}) `)
  return visit.complaints.filter((complaint) => !noted.test(complaint))
}
