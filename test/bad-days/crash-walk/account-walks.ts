import { expect } from 'vitest'
import { MINUTE, SECOND } from '#contract/time.ts'
import { form } from '#test/builders/registration.ts'
import {
  browse,
  codeMailedTo,
  elsewhere,
  expectSignedIn,
  expectSignedOut,
  expectSignIn,
  member,
  mustDo,
  NEW_PASSWORD,
  newPerson,
  PASSWORD,
  type Person,
  registered,
  signIn,
} from './people.ts'
import type { Walk } from './walk.ts'
import { ask, type Client, mailTo, type World } from './world.ts'

type Registered = Person & { code: string }

async function expectPerson(world: World, person: Person): Promise<void> {
  const { rows } = await world.t.ctx.db.query<{ accounts: number }>({
    name: 'walk-person',
    text: `SELECT (SELECT count(*)::integer FROM accounts WHERE user_id = users.id) AS accounts FROM users WHERE email = $1`,
    values: [person.email],
  })
  expect(rows).toEqual([{ accounts: 1 }])
  await expectSignIn(world, person, { password: PASSWORD })
}

async function confirmAndSignIn(world: World, person: Person): Promise<void> {
  await mustDo(world, person, 'POST /api/verify-email', {
    email: person.email,
    code: await codeMailedTo(world, person.email),
  })
  await expectSignedIn(world, person)
}

const registering: Walk<Person>[] = [
  {
    name: 'a registration',
    given: async (world) => newPerson(world),
    act: (world, person) => browse(world, person, 'POST /api/register', form(person.email)),
    after: confirmAndSignIn,
  },
  {
    name: 'a registration whose code is asked for once more',
    async given(world) {
      const person = await registered(world)
      world.t.clock.advance(MINUTE + SECOND)
      world.mailed.length = 0
      return person
    },
    act: (world, person) => browse(world, person, 'POST /api/resend-verify-email', { email: person.email }),
    after: confirmAndSignIn,
  },
  {
    name: 'the code of a registration',
    given: registered,
    act: (world, { code, ...person }: Registered) =>
      browse(world, person, 'POST /api/verify-email', { email: person.email, code }),
    // The answer may be lost after the commit. The person then exists, so the repeated call is refused.
    refusals: ['NEED_PASSWORD'],
    after: expectPerson,
  } satisfies Walk<Registered> as Walk<Person>,
  {
    name: 'a sign-in before the code',
    async given(world) {
      const { userIds, email } = await registered(world)
      return { ...newPerson(world), userIds, email }
    },
    act: (world, person) => browse(world, person, 'POST /api/login', { email: person.email, password: PASSWORD }),
    refusals: ['EMAIL_NOT_VERIFIED'],
    after: confirmAndSignIn,
  },
]

type Member = Person & Client

const sessions: Walk<Person>[] = [
  {
    name: 'a sign-in at a new device',
    async given(world) {
      const person = await member(world)
      await signIn(world, person)
      return elsewhere(world, person)
    },
    act: (world, person) => signIn(world, person),
    async after(world, person) {
      await expectSignedIn(world, person)
      expect(mailTo(world, person.email).kind).toBe('new-device')
    },
  },
  {
    name: 'a sign-in in the place of another',
    async given(world) {
      const person = await member(world)
      await signIn(world, person)
      return person
    },
    act: (world, person) => signIn(world, person),
    after: expectSignedIn,
  },
  {
    name: 'a refresh',
    async given(world) {
      const person = await member(world)
      await signIn(world, person)
      return person
    },
    act: (world, person) => browse(world, person, 'POST /api/refresh'),
    after: expectSignedIn,
  },
  {
    name: 'a refresh that another tab was quicker with',
    async given(world) {
      const person = await member(world)
      await signIn(world, person)
      const slow = { ...person, cookies: { ...person.cookies } }
      await mustDo(world, person, 'POST /api/refresh')
      return slow
    },
    act: (world, person) => browse(world, person, 'POST /api/refresh'),
    after: expectSignedIn,
  },
  {
    name: 'a sign-out',
    async given(world) {
      const person = await member(world)
      await signIn(world, person)
      return person
    },
    act: (world, person) => ask(world, person, 'POST /api/logout'),
    after: (world, person) => expectSignedOut(world, person),
  },
  {
    name: 'a password shown once more',
    given: member,
    act: (world, person) =>
      ask(world, person, 'POST /api/v1/user/confirm-password', { password: 'a long enough password' }),
    after: expectSignedIn,
  },
  {
    name: 'another session that is ended',
    given: withAnother,
    act: (world, { other, ...person }: WithAnother) =>
      ask(world, person, `DELETE /api/v1/user/sessions/${other.sessionId}`),
    refusals: ['NOT_FOUND'],
    after: (world, { other }) => expectSignedOut(world, other),
  } satisfies Walk<WithAnother> as Walk<Person>,
  {
    name: 'all other sessions that are ended',
    given: withAnother,
    act: (world, person) => ask(world, person, 'DELETE /api/v1/user/sessions'),
    after: (world, { other }) => expectSignedOut(world, other),
  } satisfies Walk<WithAnother> as Walk<Person>,
]

type WithAnother = Member & { other: Person & { sessionId: string } }

async function withAnother(world: World): Promise<WithAnother> {
  const person = await member(world)
  const other = elsewhere(world, person)
  await signIn(world, other)
  const { body } = await mustDo(world, other, 'GET /api/v1/user/sessions')
  const current = (body.sessions as { id: string; current: boolean }[]).find((session) => session.current)
  return { ...person, other: { ...other, sessionId: current?.id ?? '' } }
}

const changed = { password: NEW_PASSWORD, password_confirmation: NEW_PASSWORD }

async function linkMailedTo(world: World, { email }: Person): Promise<URLSearchParams> {
  await codeMailedTo(world, email)
  return new URL(String(mailTo(world, email).url)).searchParams
}

type Forgetful = Person & { resetToken: string }

const passwords: Walk<Person>[] = [
  {
    name: 'a forgotten password',
    given: member,
    act: (world, person) => browse(world, person, 'POST /api/forgot-password', { email: person.email }),
    async after(world, person) {
      const token = (await linkMailedTo(world, person)).get('token')
      await mustDo(world, person, 'POST /api/reset-password', { email: person.email, token, ...changed })
    },
  },
  {
    name: 'a password that is set anew by a link',
    async given(world) {
      const person = await member(world)
      await mustDo(world, person, 'POST /api/forgot-password', { email: person.email })
      return { ...person, resetToken: (await linkMailedTo(world, person)).get('token') ?? '' }
    },
    act: (world, { resetToken: token, ...person }: Forgetful) =>
      browse(world, person, 'POST /api/reset-password', { email: person.email, token, ...changed }),
    refusals: ['TOKEN_EXPIRED'],
    async after(world, person) {
      await expectSignIn(world, person, { password: NEW_PASSWORD })
      await expectSignedOut(world, person)
      expect(mailTo(world, person.email).kind).not.toBe('reset-password')
    },
  } satisfies Walk<Forgetful> as Walk<Person>,
  {
    name: 'a changed password',
    given: member,
    act: (world, person) =>
      ask(world, person, 'POST /api/v1/user/password', { current_password: 'a long enough password', ...changed }),
    refusals: ['WRONG_PASSWORD'],
    after: (world, person) => expectSignIn(world, person, { password: NEW_PASSWORD }),
  },
]

type Moving = Person & { newEmail: string; code: string }

async function moving(world: World): Promise<Moving> {
  const person = await member(world)
  const { email: newEmail } = newPerson(world)
  await mustDo(world, person, 'POST /api/v1/user/email', { email: newEmail, password: 'a long enough password' })
  return { ...person, newEmail, code: await codeMailedTo(world, newEmail) }
}

async function linkNew(world: World, { newEmail: email, ...person }: Moving): Promise<void> {
  await mustDo(world, person, 'POST /api/user/verify-link-email', { email, code: await codeMailedTo(world, email) })
  await expectSignIn(world, { ...person, email })
}

const emails = [
  {
    name: 'a new e-mail address',
    given: async (world) => ({ ...(await member(world)), newEmail: newPerson(world).email, code: '' }),
    act: (world, { newEmail: email, ...person }) =>
      ask(world, person, 'POST /api/v1/user/email', { email, password: 'a long enough password' }),
    after: linkNew,
  },
  {
    name: 'a new e-mail address whose code is asked for once more',
    async given(world) {
      const given = await moving(world)
      world.t.clock.advance(MINUTE + SECOND)
      world.mailed.length = 0
      return given
    },
    act: (world, { newEmail: email, ...person }) => ask(world, person, 'POST /api/user/resend-verify-email', { email }),
    after: linkNew,
  },
  {
    name: 'the code of a new e-mail address',
    given: moving,
    act: (world, { newEmail: email, code, ...person }) =>
      ask(world, person, 'POST /api/user/verify-link-email', { email, code }),
    refusals: ['CODE_EXPIRED'],
    async after(world, { newEmail: email, ...person }) {
      await expectSignIn(world, { ...person, email })
      expect(mailTo(world, person.email).kind).toBe('email-changed')
    },
  },
] satisfies Walk<Moving>[]

const settings: Walk<Person>[] = [
  {
    name: 'a changed setting',
    given: member,
    act: (world, person) => ask(world, person, 'PATCH /api/v1/user/settings', { sound_new_sms: false }),
  },
]

export const accountWalks = [...registering, ...sessions, ...passwords, ...emails, ...settings] as readonly Walk[]
