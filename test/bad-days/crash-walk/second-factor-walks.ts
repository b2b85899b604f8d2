import { expect } from 'vitest'
import { demandSecondFactor } from '#server/core/accounts/two-factor/pending-login.ts'
import { AppError } from '#server/house/errors/errors.ts'
import {
  appCode,
  browse,
  elsewhere,
  expectSignedIn,
  expectSignIn,
  type Guarded,
  guarded,
  member,
  mustDo,
  nextAppCode,
  type Person,
  signIn,
} from './people.ts'
import type { Walk } from './walk.ts'
import { ask, type Client, type World } from './world.ts'

type SettingUp = Person & Client & { secret: string; code: string }
type AtDoor = Guarded & { door: Person; code: string; pendingToken?: string }

async function expectNextCode(world: World, person: Guarded): Promise<void> {
  await expectSignIn(world, person, { one_time_password: await nextAppCode(world, person.secret) })
}

async function atDoor(world: World): Promise<AtDoor> {
  const person = await guarded(world)
  return { ...person, door: elsewhere(world, person), code: await appCode(world, person.secret) }
}

const settingUp = [
  {
    name: 'a second factor that is set up',
    given: async (world) => ({ ...(await member(world)), secret: '', code: '' }),
    async act(world, person) {
      const answer = await ask(world, person, 'POST /api/v1/user/two-factor')
      person.secret = String(answer?.body.secret)
      return answer
    },
    async after(world, person) {
      const code = await appCode(world, person.secret)
      await mustDo(world, person, 'POST /api/v1/user/two-factor/confirm', { code })
    },
  },
  {
    name: 'a second factor that is turned on',
    async given(world) {
      const person = await member(world)
      const secret = String((await mustDo(world, person, 'POST /api/v1/user/two-factor')).body.secret)
      return { ...person, secret, code: await appCode(world, secret) }
    },
    act: (world, { code, ...person }) => ask(world, person, 'POST /api/v1/user/two-factor/confirm', { code }),
    refusals: ['CODE_EXPIRED'],
    async after(world, person) {
      // An answer with the ten recovery codes may be lost, so the person can replace the codes.
      const state = await ask(world, person, 'GET /api/v1/user/security')
      expect(state?.body).toMatchObject({ two_factor: true, recovery_codes_left: 10 })
      const code = await nextAppCode(world, person.secret)
      await mustDo(world, person, 'POST /api/v1/user/two-factor/recovery-codes', { code })
    },
  },
] satisfies Walk<SettingUp>[]

const inUse = [
  {
    name: 'a second factor that is turned off',
    given: atDoor,
    act: (world, { code, ...person }) => ask(world, person, 'POST /api/v1/user/two-factor/disable', { code }),
    refusals: ['WRONG_CODE'],
    after: (world, person) => expectSignIn(world, person),
  },
  {
    name: 'fresh recovery codes',
    given: atDoor,
    act: (world, { code, ...person }) => ask(world, person, 'POST /api/v1/user/two-factor/recovery-codes', { code }),
    refusals: ['WRONG_CODE'],
    async after(world, person) {
      const state = await ask(world, person, 'GET /api/v1/user/security')
      expect(state?.body).toMatchObject({ two_factor: true, recovery_codes_left: 10 })
      await expectNextCode(world, person)
    },
  },
  {
    name: 'a sign-in with a code',
    given: atDoor,
    act: (world, { door, code }) => signIn(world, door, { one_time_password: code }),
    refusals: ['WRONG_CODE'],
    after: expectNextCode,
  },
  {
    name: 'a sign-in with a recovery code',
    given: atDoor,
    act: (world, { door, recoveryCodes }) => signIn(world, door, { one_time_password: recoveryCodes[0] }),
    refusals: ['WRONG_CODE'],
    async after(world, person) {
      const state = await ask(world, person, 'GET /api/v1/user/security')
      expect(state?.body).toMatchObject({ recovery_codes_left: 9 })
      await expectNextCode(world, person)
    },
  },
  {
    name: 'a sign-in by a social service with a code',
    async given(world) {
      const given = await atDoor(world)
      const demanded = await demandSecondFactor(world.life.ctx, given.id).catch((error: unknown) => error)
      if (!(demanded instanceof AppError)) throw new Error('no code was demanded')
      return { ...given, pendingToken: String(demanded.data?.pending_token) }
    },
    act: (world, { door, code, pendingToken }: AtDoor) =>
      browse(world, door, 'POST /api/login', { pending_token: pendingToken, one_time_password: code }),
    refusals: ['AUTH_FAILED'],
    async after(world, { door, ...person }, { status }) {
      if (status < 400) await expectSignedIn(world, door)
      await expectNextCode(world, person as AtDoor)
    },
  },
] satisfies Walk<AtDoor>[]

export const secondFactorWalks = [...settingUp, ...inUse] as readonly Walk[]
