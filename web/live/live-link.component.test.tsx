import { act } from '@testing-library/react'
import { expect, onTestFinished, test, vi } from 'vitest'
import { FRESH_COOKIE } from '#contract/constants.ts'
import type { LiveEvent } from '#contract/live-events.ts'
import { MEMBER } from '#test/components/app-context.ts'
import { show } from '#test/components/show.tsx'
import { clearCookie, readCookie } from '#web/session/cookie.ts'
import { beginLeaving, endLeaving, endSession } from '#web/session/session-life.ts'
import { LiveLink } from './live-link.tsx'

type Opening = {
  userId: number
  onState: (state: string) => void
  onRefused: () => void
  onOpen: () => void
  onEvent: (event: LiveEvent) => void
}

const opened = vi.hoisted(() => ({
  users: [] as number[],
  closed: 0,
  refuse: (): void => undefined,
  hear: (_event: LiveEvent): void => undefined,
}))
// The test replaces the network. Tests on the server cover the real protocol.
vi.mock('./connection.ts', () => ({
  openLive: ({ userId, onState, onRefused, onOpen, onEvent }: Opening) => {
    opened.users.push(userId)
    opened.refuse = onRefused
    opened.hear = onEvent
    onState('connected')
    onOpen()
    return {
      close: () => {
        opened.closed += 1
      },
    }
  },
}))

test('4.2: the channel opens 500 ms after the sign-in, and closes with the session', async () => {
  vi.useFakeTimers()
  onTestFinished(() => {
    vi.useRealTimers()
  })
  const { app } = await show(<LiveLink />, { session: MEMBER })
  await act(() => vi.advanceTimersByTimeAsync(499))
  expect(opened.users).toEqual([])
  await act(() => vi.advanceTimersByTimeAsync(1))
  await expect.poll(() => opened.users).toEqual([1])
  expect(app.live.state.get()).toBe('connected')
  act(() => endSession(app))
  expect(opened.closed).toBe(1)
})

test('a socket that is closed by a sign-out opens again when the sign-out fails; meanwhile nothing is asked for', async () => {
  vi.useFakeTimers()
  onTestFinished(() => {
    vi.useRealTimers()
  })
  Object.assign(opened, { users: [], closed: 0 })
  const { app } = await show(<LiveLink />, { session: MEMBER })
  app.queryClient.setQueryData(['active-numbers'], 'numbers')
  const isOld = () => app.queryClient.getQueryState(['active-numbers'])?.isInvalidated
  beginLeaving(app)
  await act(() => vi.advanceTimersByTimeAsync(500))
  await expect.poll(() => opened.users).toEqual([1])
  expect(isOld()).toBe(false)
  opened.refuse()
  await act(() => vi.advanceTimersByTimeAsync(20_000))
  expect([opened.users, opened.closed]).toEqual([[1], 0])
  act(() => endLeaving(app))
  expect(isOld()).toBe(true)
  await act(() => vi.advanceTimersByTimeAsync(5_000))
  await expect.poll(() => opened.closed).toBe(1)
  await act(() => vi.advanceTimersByTimeAsync(5_000))
  await expect.poll(() => opened.users).toEqual([1, 1])
})

test('a page that may have missed events fetches its data again', async () => {
  vi.useFakeTimers()
  onTestFinished(() => {
    vi.useRealTimers()
  })
  Object.assign(opened, { users: [], closed: 0 })
  const { app } = await show(<LiveLink />, { session: MEMBER })
  await act(() => vi.advanceTimersByTimeAsync(500))
  await expect.poll(() => opened.users).toEqual([1])
  app.queryClient.setQueryData(['active-numbers'], 'numbers')
  const isOld = () => app.queryClient.getQueryState(['active-numbers'])?.isInvalidated
  expect(isOld()).toBe(false)
  clearCookie(FRESH_COOKIE)
  opened.hear({ name: 'EventsMissed', payload: {} })
  expect(isOld()).toBe(true)
  expect(readCookie(FRESH_COOKIE)).toBe('1')
})

test('the server learns that this browser was told of news, before anything is fetched again', async () => {
  vi.useFakeTimers()
  onTestFinished(() => {
    vi.useRealTimers()
  })
  Object.assign(opened, { users: [], closed: 0 })
  clearCookie(FRESH_COOKIE)
  const { app } = await show(<LiveLink />, { session: MEMBER })
  const marks: (string | null)[] = []
  app.live.state.subscribe(() => marks.push(readCookie(FRESH_COOKIE)))
  await act(() => vi.advanceTimersByTimeAsync(500))
  await expect.poll(() => marks).toEqual(['1'])
})
