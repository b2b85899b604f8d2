import { generate } from 'otplib'
import { expect } from 'vitest'
import { form, GOOD_PASSWORD } from '#test/builders/registration.ts'
import { type Answer, ask, type Client, mailTo, makeClient, newBrowser, runJobs, type World } from './world.ts'

export const PASSWORD = GOOD_PASSWORD
export const NEW_PASSWORD = 'another horse battery'

export type Person = {
  userIds: number[]
  email: string
  token?: string
  network: string
  cookies: Record<string, string>
}

let people = 0

export function newPerson(world: World): Person {
  people += 1
  return { userIds: [], email: `walker-${people}@example.test`, ...newBrowser(world) }
}

export async function member(world: World): Promise<Person & Client> {
  const client = await makeClient(world, '0')
  return { ...client, userIds: [client.id] }
}

/** Returns the same person in a second browser and another network. */
export function elsewhere(world: World, { userIds, email }: Person): Person {
  return { userIds, email, ...newBrowser(world) }
}

export async function browse(
  world: World,
  person: Person,
  call: string,
  body: Record<string, unknown> = {},
): Promise<Answer | null> {
  const answer = await ask(world, person, call, body)
  Object.assign(person.cookies, answer?.cookies)
  const token = answer?.body.token
  if (typeof token === 'string') person.token = token
  return answer
}

export async function mustDo(
  world: World,
  person: Person,
  call: string,
  body: Record<string, unknown> = {},
): Promise<Answer> {
  const answer = await browse(world, person, call, body)
  if (answer === null || answer.status >= 400)
    throw new Error(`${call}: ${answer?.status} ${JSON.stringify(answer?.body)}`)
  return answer
}

export async function registered(world: World): Promise<Person & { code: string }> {
  const person = newPerson(world)
  await mustDo(world, person, 'POST /api/register', form(person.email))
  return { ...person, code: await codeMailedTo(world, person.email) }
}

export async function codeMailedTo(world: World, address: string): Promise<string> {
  await runJobs(world)
  return String(mailTo(world, address).code)
}

export const signIn = (world: World, person: Person, more: Record<string, unknown> = {}) =>
  browse(world, person, 'POST /api/login', { email: person.email, password: 'a long enough password', ...more })

export async function expectSignIn(world: World, person: Person, more: Record<string, unknown> = {}): Promise<void> {
  const answer = await signIn(world, elsewhere(world, person), more)
  expect(`${answer?.status} ${answer?.code}`).toBe('200 null')
}

export async function expectSignedIn(world: World, person: Person): Promise<void> {
  expect((await ask(world, person, 'GET /api/v1/user/security'))?.status).toBe(200)
}

export async function expectSignedOut(world: World, person: Person): Promise<void> {
  expect((await ask(world, person, 'GET /api/v1/user/security'))?.status).toBe(401)
}

export function appCode({ t }: World, secret: string): Promise<string> {
  return generate({ secret, epoch: Math.floor(t.clock.now().getTime() / 1_000) })
}

/** Moves the clock on by one step and returns the next code of a person's authenticator app. */
export function nextAppCode(world: World, secret: string): Promise<string> {
  world.t.clock.advance(30_000)
  return appCode(world, secret)
}

export type Guarded = Person & Client & { secret: string; recoveryCodes: string[] }

export async function guarded(world: World): Promise<Guarded> {
  const person = await member(world)
  const { body } = await mustDo(world, person, 'POST /api/v1/user/two-factor')
  const secret = String(body.secret)
  const code = await appCode(world, secret)
  const confirmed = await mustDo(world, person, 'POST /api/v1/user/two-factor/confirm', { code })
  await nextAppCode(world, secret)
  return { ...person, secret, recoveryCodes: confirmed.body.recovery_codes as string[] }
}
