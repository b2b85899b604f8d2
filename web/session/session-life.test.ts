import { expect, test } from 'vitest'
import { CallError } from '#contract/calls/calls.ts'
import { beginSession, endSession, renewSession, signOut } from './session-life.ts'
import { MEMBER, newFrame, anna as user, VISITOR } from './test-frame.ts'

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
  beginSession(frame, { token: 'second', user })
  expect(frame.session.get()).toEqual({ status: 'authenticated', token: 'second' })
  expect(frame.queryClient.getQueryData(['user'])).toEqual(user)
  expect(frame.queryClient.getQueryState(['services', {}])?.isInvalidated).toBe(true)
})

test('signing in closes the dialogs on the way to it, and no other', async () => {
  const frame = await newFrame(VISITOR)
  frame.dialogs.open('login', {})
  frame.dialogs.open('faCode', { firstFactor: { pending_token: 'x' } })
  frame.dialogs.open('recovery', { email: user.email, token: 't' })
  beginSession(frame, { token: 'second', user })
  expect(Object.keys(frame.dialogs.state.get().flags)).toEqual(['recovery'])
})

test('a refresh by the cookie of somebody else, who signed in elsewhere, leaves nothing of the first in memory', async () => {
  const frame = await newFrame(MEMBER)
  frame.queryClient.setQueryData(['active-numbers', {}], 'numbers of Anna')
  const boris = { ...user, id: 2, email: 'boris@ringpost.test' }
  expect(renewSession(frame, { token: 'of Boris', user: boris })).toBe(true)
  expect(frame.queryClient.getQueryData(['active-numbers', {}])).toBeUndefined()
  expect(frame.queryClient.getQueryData(['user'])).toEqual(boris)
  expect(renewSession(frame, { token: 'of Boris again', user: boris })).toBe(false)
})

// Checklist 4.1: a session that is over leaves neither data nor token.
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
  renewSession(frame, { token: 'late', user })
  expect(frame.session.get()).toEqual({ status: 'unauthenticated', token: null })
  expect(frame.queryClient.getQueryData(['user'])).toBeUndefined()
})

test('signing out tells the server first', async () => {
  const called: string[] = []
  const frame = await newFrame(MEMBER, async (key) => {
    called.push(key)
    return { status: true }
  })
  await signOut(frame)
  expect(called).toEqual(['POST /api/logout'])
  expect(frame.session.get().status).toBe('unauthenticated')
})

// S-11: a 401 was taken for signed out, while the session and its cookies lived on.
test.each([
  [0, 'NO_REPLY'],
  [401, 'UNAUTHENTICATED'],
])('a sign-out that failed with %s leaves the person signed in: their cookies still are', async (httpStatus, code) => {
  const lost = new CallError({ httpStatus, code, message: '' })
  const frame = await newFrame(MEMBER, () => Promise.reject(lost))
  await expect(signOut(frame)).rejects.toBe(lost)
  expect(frame.session.get().status).toBe('authenticated')
})
