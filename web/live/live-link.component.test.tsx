import { act } from '@testing-library/react'
import { expect, onTestFinished, test, vi } from 'vitest'
import { show } from '#test/components/show.tsx'
import { endSession } from '#web/session/session-life.ts'
import { MEMBER } from '#web/session/test-context.ts'
import { LiveLink } from './live-link.tsx'

const opened = vi.hoisted(() => ({ users: [] as number[], closed: 0 }))
// The edge of the network: what speaks the protocol is tested against the server.
vi.mock('./connection.ts', () => ({
  openLive: ({ userId, onState }: { userId: number; onState: (state: string) => void }) => {
    opened.users.push(userId)
    onState('connected')
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
