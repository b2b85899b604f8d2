import { expect, test } from 'vitest'
import { type Api, CallError } from '#contract/calls.ts'
import type { User } from '#contract/user.ts'
import { createFrame } from '../frame.ts'
import type { PageData } from '../page-data.ts'
import { loadMessages } from '../text/messages.ts'
import { beginSession, endSession, renewSession, signOut } from './session-life.ts'

const user: User = {
  id: 1,
  email: 'anna@ringpost.test',
  name: 'Anna',
  role: 'user',
  balance: '10.00',
  held: '0.00',
  currency: 'rub',
  notifications_count: 0,
  activations: { count: 0, rent_count: 0 },
  settings: { copying_code: false, confirmation_actions: false, sound_new_sms: false },
}

async function newFrame(
  session: PageData['session'],
  api: Api = async () => Promise.reject(new Error('no call expected')),
) {
  const page: PageData = {
    buildId: 'b',
    now: '2026-01-01T00:00:00.000Z',
    locale: 'ru',
    locales: ['ru'],
    theme: 'light',
    zone: { name: 'ru', currency: 'rub' },
    session,
    settings: {
      alerts: [],
      currency: 'rub',
      locales: ['ru'],
      captchaEnabled: '0',
      captchaKey: '',
      telegramSubscribeReward: '0.00',
      notificationCategories: [],
      closedPages: [],
      realtime: { key: 'ringpost', port: 6001, tls: false },
      demo: false,
    },
    publicUrl: 'https://ringpost.test',
    indexing: true,
    loaderData: {},
    failure: null,
  }
  return createFrame({ page, messages: await loadMessages('ru'), api })
}

const VISITOR = { status: 'unauthenticated', token: null, user: null } as const
const MEMBER = { status: 'authenticated', token: 'first', user } as const

test.each([
  [VISITOR, 'unauthenticated'],
  [MEMBER, 'authenticated'],
  [{ ...MEMBER, token: null }, 'loading'],
] as const)('a page with the session %j begins as %s', async (session, status) => {
  expect((await newFrame(session)).session.get().status).toBe(status)
})

test('signing in brings token and user, and marks what a visitor had loaded as old', async () => {
  const frame = await newFrame(VISITOR)
  frame.queryClient.setQueryData(['services', {}], 'of a visitor')
  beginSession(frame, { status: true, token: 'second', user })
  expect(frame.session.get()).toEqual({ status: 'authenticated', token: 'second' })
  expect(frame.queryClient.getQueryData(['user'])).toEqual(user)
  expect(frame.queryClient.getQueryState(['services', {}])?.isInvalidated).toBe(true)
})

test('a session that ended leaves nothing of the user in memory', async () => {
  const frame = await newFrame(MEMBER)
  frame.queryClient.setQueryData(['active-numbers', {}], 'numbers of Anna')
  frame.queryClient.setQueryData(['settings'], 'settings')
  endSession(frame)
  expect(frame.session.get()).toEqual({ status: 'unauthenticated', token: null })
  expect(
    frame.queryClient
      .getQueryCache()
      .getAll()
      .map(({ queryKey }) => queryKey[0]),
  ).toEqual(['settings'])
  expect(frame.queryClient.getQueryState(['settings'])?.isInvalidated).toBe(true)
})

test('a refresh that is answered after the sign-out signs nobody in', async () => {
  const frame = await newFrame(MEMBER)
  endSession(frame)
  renewSession(frame, { status: true, token: 'late', user })
  expect(frame.session.get()).toEqual({ status: 'unauthenticated', token: null })
  expect(frame.queryClient.getQueryData(['user'])).toBeUndefined()
})

test('signing out tells the server, and a session it no longer knows is over as well', async () => {
  const called: string[] = []
  const over = new CallError({ httpStatus: 401, code: 'UNAUTHENTICATED', message: '' })
  const frame = await newFrame(MEMBER, async (key) => {
    called.push(key)
    throw over
  })
  await signOut(frame)
  expect(called).toEqual(['POST /api/logout'])
  expect(frame.session.get().status).toBe('unauthenticated')
})

test('a sign-out that did not reach the server leaves the person signed in: their cookies still are', async () => {
  const lost = new CallError({ httpStatus: 0, code: 'NO_REPLY', message: '' })
  const frame = await newFrame(MEMBER, () => Promise.reject(lost))
  await expect(signOut(frame)).rejects.toBe(lost)
  expect(frame.session.get().status).toBe('authenticated')
})
