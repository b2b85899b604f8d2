import { act, fireEvent, screen } from '@testing-library/react'
import { expect, onTestFinished, test, vi } from 'vitest'
import { show } from '#test/components/show.tsx'
import { lazyPart } from './lazy-part.tsx'

const refused = new TypeError('Failed to fetch dynamically imported module')

test('N-2: a part whose code came too late for the network is drawn when the network is back', async () => {
  const online = vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false)
  const told = vi.spyOn(globalThis, 'reportError').mockImplementation(() => undefined)
  onTestFinished(() => {
    vi.restoreAllMocks()
  })
  let asked = 0
  const Part = lazyPart(
    async () => {
      asked += 1
      if (!navigator.onLine) throw refused
      return () => <p>the part</p>
    },
    <p>its place</p>,
  )
  await show(<Part />)
  await screen.findByText('its place')
  // The network is gone again at the event `online`, so the part waits for the next event.
  await act(async () => fireEvent(window, new Event('online')))
  expect(asked).toBe(2)
  online.mockReturnValue(true)
  await act(async () => fireEvent(window, new Event('online')))
  await screen.findByText('the part')
  expect([asked, told.mock.calls]).toEqual([3, []])
})

test('with a network a part that is missing leaves its place, and is told of', async () => {
  const told = vi.spyOn(globalThis, 'reportError').mockImplementation(() => undefined)
  onTestFinished(() => told.mockRestore())
  const Part = lazyPart(() => Promise.reject(refused), <p>its place</p>)
  await show(<Part />)
  await vi.waitFor(() => expect(told).toHaveBeenCalledWith(refused))
  screen.getByText('its place')
})
