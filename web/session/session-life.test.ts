import { expect, onTestFinished, test, vi } from 'vitest'
import { CallError } from '#contract/calls/calls.ts'
import { MINUTE } from '#contract/time.ts'
import { MEMBER, newAppContext, anna as user, VISITOR } from '#test/components/app-context.ts'
import { beginLeaving, beginSession, endSession, isLeaving, renewSession, signOut } from './session-life.ts'

test.each([
  [VISITOR, 'unauthenticated'],
  [MEMBER, 'authenticated'],
  [{ ...MEMBER, token: null }, 'loading'],
] as const)('3.2: a page with the session %j begins as %s', async (session, status) => {
  expect((await newAppContext(session)).session.get().status).toBe(status)
})

test('4.2: signing in brings token and user, and marks what a visitor had loaded as old', async () => {
  const app = await newAppContext(VISITOR)
  app.queryClient.setQueryData(['services', {}], 'of a visitor')
  beginSession(app, { token: 'second', user })
  expect(app.session.get()).toEqual({ status: 'authenticated', token: 'second' })
  expect(app.queryClient.getQueryData(['user'])).toEqual(user)
  expect(app.queryClient.getQueryState(['services', {}])?.isInvalidated).toBe(true)
})

// Checklist 8.1: a reply without a valid token is an error.
test.each([undefined, '', 7])('a reply with the token %j begins and renews no session', async (given) => {
  const token = given as string
  const visitor = await newAppContext(VISITOR)
  expect(() => beginSession(visitor, { token, user })).toThrow(CallError)
  expect(visitor.session.get()).toEqual({ status: 'unauthenticated', token: null })
  const member = await newAppContext(MEMBER)
  expect(() => renewSession(member, { token, user })).toThrow(CallError)
  expect(member.session.get()).toEqual({ status: 'authenticated', token: MEMBER.token })
})

test('signing in closes the dialogs on the way to it, and no other', async () => {
  const app = await newAppContext(VISITOR)
  app.dialogs.open('login', {})
  app.dialogs.open('faCode', { firstFactor: { pending_token: 'x' } })
  app.dialogs.open('recovery', { email: user.email, token: 't' })
  beginSession(app, { token: 'second', user })
  expect(Object.keys(app.dialogs.state.get().flags)).toEqual(['recovery'])
})

test('a refresh by the cookie of somebody else, who signed in elsewhere, leaves nothing of the first in memory', async () => {
  const app = await newAppContext(MEMBER)
  app.queryClient.setQueryData(['active-numbers', {}], 'numbers of Anna')
  const boris = { ...user, id: 2, email: 'boris@ringpost.test' }
  expect(renewSession(app, { token: 'of Boris', user: boris })).toBe(true)
  expect(app.queryClient.getQueryData(['active-numbers', {}])).toBeUndefined()
  expect(app.queryClient.getQueryData(['user'])).toEqual(boris)
  expect(renewSession(app, { token: 'of Boris again', user: boris })).toBe(false)
})

test('4.1: a session that ended leaves nothing of the user in memory', async () => {
  const app = await newAppContext(MEMBER)
  app.queryClient.setQueryData(['active-numbers', {}], 'numbers of Anna')
  app.queryClient.setQueryData(['settings'], 'settings')
  endSession(app)
  expect(app.session.get()).toEqual({ status: 'unauthenticated', token: null })
  expect(
    app.queryClient
      .getQueryCache()
      .getAll()
      .map(({ queryKey }) => queryKey[0]),
  ).toEqual(['settings'])
  expect(app.queryClient.getQueryState(['settings'])?.isInvalidated).toBe(true)
})

test('a refresh that is answered after the sign-out signs nobody in', async () => {
  const app = await newAppContext(MEMBER)
  endSession(app)
  renewSession(app, { token: 'late', user })
  expect(app.session.get()).toEqual({ status: 'unauthenticated', token: null })
  expect(app.queryClient.getQueryData(['user'])).toBeUndefined()
})

test('4.1: signing out tells the server first, and then clears session and token', async () => {
  const called: string[] = []
  const app = await newAppContext(MEMBER, async (key) => {
    called.push(key)
    return { status: true }
  })
  await signOut(app)
  expect(called).toEqual(['POST /api/logout'])
  expect(app.session.get()).toEqual({ status: 'unauthenticated', token: null })
  expect(app.queryClient.getQueryData(['user'])).toBeUndefined()
})

test('a sign-out in a tab that is closed meanwhile does not keep another from renewing its session for long', async () => {
  const app = await newAppContext(MEMBER)
  const now = vi.spyOn(performance, 'now')
  // The time is rounded up, because a sum of fractions may be rounded down.
  const began = Math.ceil(performance.now())
  now.mockImplementation(() => began)
  onTestFinished(() => now.mockRestore())
  beginLeaving(app)
  expect(isLeaving(app)).toBe(true)
  now.mockImplementation(() => began + MINUTE)
  expect(isLeaving(app)).toBe(false)
})

// S-11: a 401 once counted as a sign-out, although the session and its cookies still existed.
test.each([
  [0, 'NO_REPLY'],
  [401, 'UNAUTHENTICATED'],
])('a sign-out that failed with %s leaves the person signed in: their cookies still are', async (httpStatus, code) => {
  const lost = new CallError({ httpStatus, code, message: '' })
  const app = await newAppContext(MEMBER, () => Promise.reject(lost))
  app.queryClient.setQueryData(['active-numbers', {}], 'numbers')
  await expect(signOut(app)).rejects.toBe(lost)
  expect(app.session.get().status).toBe('authenticated')
  expect(isLeaving(app)).toBe(false)
  expect(app.queryClient.getQueryState(['active-numbers', {}])?.isInvalidated).toBe(true)
  expect(app.queryClient.getQueryState(['user'])?.isInvalidated).toBe(true)
})
