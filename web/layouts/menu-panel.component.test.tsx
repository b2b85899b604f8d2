import { screen, waitFor } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { anna, MEMBER } from '#test/components/app-context.ts'
import { show } from '#test/components/show.tsx'
import { Balance } from './balance.tsx'
import { MenuPanel } from './menu-panel.tsx'

test('the menu of a visitor has the sections and nothing of an account', async () => {
  const close = vi.fn()
  await show(<MenuPanel close={close} />)
  expect(screen.queryByRole('button', { name: 'Log out' })).toBeNull()
  expect(screen.queryByRole('link', { name: 'Settings' })).toBeNull()
  expect(screen.queryByRole('button', { name: 'Fast number' })).toBeNull()
  expect(screen.getByRole('navigation').querySelectorAll('a').length).toBeGreaterThan(2)
})

test('the menu of a member leads to their pages, and closes with each choice', async () => {
  const close = vi.fn()
  const { user, loads } = await show(<MenuPanel close={close} />, { session: MEMBER })
  screen.getByText(anna.email)
  await user.click(screen.getByRole('link', { name: 'History' }))
  expect(close).toHaveBeenCalledTimes(1)
  await waitFor(() => expect(loads.map(({ url }) => url)).toEqual(['/history']))
})

test('closed pages are not in the menu', async () => {
  const { unmount } = await show(<MenuPanel close={() => undefined} />, { session: MEMBER })
  screen.getByRole('link', { name: 'Rent' })
  unmount()
  await show(<MenuPanel close={() => undefined} />, { session: MEMBER, settings: { closedPages: ['rent'] } })
  expect(screen.queryByRole('link', { name: 'Rent' })).toBeNull()
})

test('the balance shows what is set aside only where something is', async () => {
  const { unmount } = await show(<Balance />, { session: MEMBER })
  expect(document.querySelector('[data-balance]')?.textContent).toMatch(/10\.00/u)
  expect(screen.queryByText(/set aside/u)).toBeNull()
  unmount()
  await show(<Balance />, { session: { ...MEMBER, user: { ...anna, balance: '7.50', held: '2.50' } } })
  expect(document.querySelector('[data-balance]')?.textContent).toMatch(/7\.50/u)
  screen.getByText(/2\.50.*set aside/u)
})
