import { act, fireEvent, screen } from '@testing-library/react'
import { useState } from 'react'
import { expect, onTestFinished, test, vi } from 'vitest'
import { refusal } from '#test/components/fake-api.ts'
import { show } from '#test/components/show.tsx'
import { ErrorLayout } from './error.tsx'

const NO_CONNECTION = 'No connection'
const heading = () => screen.getByRole('heading', { level: 1 }).textContent

function setOnline(online: boolean) {
  vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(online)
  act(() => {
    fireEvent(window, new Event(online ? 'online' : 'offline'))
  })
}

async function showFailed(first: unknown) {
  onTestFinished(() => {
    vi.restoreAllMocks()
  })
  let fail: (error: unknown) => void = () => undefined
  function Failed() {
    const [error, setError] = useState(first)
    fail = (next) => act(() => setError(next))
    return <ErrorLayout error={error} />
  }
  const shown = await show(<Failed />)
  return { ...shown, failAgain: (error: unknown) => fail(error) }
}

test('SP-1: a page that no answer came for says so, and loads by itself when the network is back', async () => {
  setOnline(false)
  const { loads, user, failAgain, app } = await showFailed(refusal(0, 'NO_REPLY'))
  expect([heading(), screen.queryByText('500')]).toEqual([NO_CONNECTION, null])
  await user.click(screen.getByRole('button', { name: 'Try again' }))
  expect(loads).toHaveLength(1)
  // N-2: the page shows the failure and no alert repeats it, even if the network returns and the server does not reply.
  setOnline(true)
  expect(loads).toHaveLength(2)
  failAgain(refusal(0, 'NO_REPLY'))
  expect(heading()).toBe(NO_CONNECTION)
  expect(app.alerts.queue.get()).toMatchObject({ shown: [], waiting: [] })
})

test('N-2: if the network is back before the page says so, the page loads again by itself', async () => {
  setOnline(true)
  const { loads } = await showFailed(refusal(0, 'NO_REPLY'))
  expect(heading()).toBe(NO_CONNECTION)
  await vi.waitFor(() => expect(loads).toHaveLength(1), { timeout: 5_000 })
})

test('SP-1: so does code that could not be fetched without a network; a fault of ours stays one', async () => {
  setOnline(false)
  const { loads, failAgain } = await showFailed(new TypeError('Failed to fetch dynamically imported module'))
  expect(heading()).toBe(NO_CONNECTION)
  setOnline(true)
  expect([heading(), loads.length]).toEqual([NO_CONNECTION, 1])
  vi.spyOn(globalThis, 'reportError').mockImplementation(() => undefined)
  failAgain(new TypeError('undefined is not an object'))
  expect(heading()).toBe('Server error')
  screen.getByText('500')
})
