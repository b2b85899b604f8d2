import { act, fireEvent, screen } from '@testing-library/react'
import { expect, onTestFinished, test, vi } from 'vitest'
import { show } from '#test/components/show.tsx'

test('4.14: a narrow page shows one alert at a time: the next one comes when it is closed', async () => {
  const { user, app } = await show(null)
  act(() => {
    app.alerts.add({ type: 'info', text: 'The first' })
    app.alerts.add({ type: 'info', text: 'The second' })
  })
  await screen.findByText('The first')
  expect(screen.queryByText('The second')).toBeNull()
  await user.click(screen.getByRole('button', { name: 'Close' }))
  await screen.findByText('The second')
  expect(screen.queryByText('The first')).toBeNull()
})

test('4.14: what comes while the page is hidden waits until it is seen, and goes after five seconds', async () => {
  vi.useFakeTimers()
  let hidden = true
  const isHidden = vi.spyOn(document, 'hidden', 'get').mockImplementation(() => hidden)
  onTestFinished(() => {
    vi.useRealTimers()
    isHidden.mockRestore()
  })
  const { app } = await show(null)
  app.alerts.watchVisibility()
  act(() =>
    app.alerts.add([
      { type: 'info', text: 'The first' },
      { type: 'error', text: 'The second' },
    ]),
  )
  await act(() => vi.advanceTimersByTimeAsync(60_000))
  expect(screen.queryByText('The first')).toBeNull()
  hidden = false
  fireEvent(document, new Event('visibilitychange'))
  screen.getByText('The first')
  // A narrow page shows one alert at a time. The second alert is due after 300 ms and appears 300 ms later.
  await act(() => vi.advanceTimersByTimeAsync(599))
  screen.getByText('The first')
  await act(() => vi.advanceTimersByTimeAsync(1))
  expect(screen.queryByText('The first')).toBeNull()
  await act(() => vi.advanceTimersByTimeAsync(4_999))
  screen.getByText('The second')
  await act(() => vi.advanceTimersByTimeAsync(1))
  expect(screen.queryByText('The second')).toBeNull()
})

test('the same failure twice is told once, and a new try removes it', async () => {
  const { app } = await show(null)
  act(() => app.alerts.add({ type: 'error', text: 'No network', id: 'offline' }))
  act(() => app.alerts.add({ type: 'error', text: 'No network', id: 'offline' }))
  expect(await screen.findAllByText('No network')).toHaveLength(1)
  act(() => app.alerts.clearErrors())
  expect(screen.queryByText('No network')).toBeNull()
})
