import { act, screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { show } from '#test/components/show.tsx'

test('a narrow page shows one alert at a time: the next one comes when it is closed', async () => {
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

test('the same failure twice is told once, and a new try removes it', async () => {
  const { app } = await show(null)
  act(() => app.alerts.add({ type: 'error', text: 'No network', id: 'offline' }))
  act(() => app.alerts.add({ type: 'error', text: 'No network', id: 'offline' }))
  expect(await screen.findAllByText('No network')).toHaveLength(1)
  act(() => app.alerts.clearErrors())
  expect(screen.queryByText('No network')).toBeNull()
})
