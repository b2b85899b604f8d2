import { screen, waitFor, within } from '@testing-library/react'
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
  expect(screen.queryByRole('button', { name: 'Quick buy' })).toBeNull()
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

test('a guest is asked before the session ends, because nobody can sign in to the account again', async () => {
  const guest = { ...anna, email: '', guest: true as const }
  const { user, sent } = await show(<MenuPanel close={() => undefined} />, {
    session: { ...MEMBER, user: guest },
    answers: { 'GET /api/user': guest, 'POST /api/logout': { status: true } },
  })
  await user.click(screen.getByRole('button', { name: 'Log out' }))
  const question = within(await screen.findByRole('dialog'))
  question.getByText(/return to this guest account/u)
  expect(sent.map(({ key }) => key)).not.toContain('POST /api/logout')
  await user.click(question.getByRole('button', { name: 'Log out' }))
  await waitFor(() => expect(sent.map(({ key }) => key)).toContain('POST /api/logout'))
})

test('N-19: the menu has groups, each link its icon, and the loyalty program', async () => {
  await show(<MenuPanel close={() => undefined} />, { session: MEMBER })
  const linksOf = (name: string) =>
    within(screen.getByRole('region', { name }))
      .getAllByRole('link')
      .map(({ textContent }) => textContent)
  expect(linksOf('My account')).toEqual(['History', 'Statistics', 'Loyalty program', 'Referral link', 'Settings'])
  expect(linksOf('Help')).toEqual(['Support', 'Blog', 'FAQ'])
  for (const link of screen.getAllByRole('link')) expect(link.querySelector('svg')).not.toBeNull()
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
  expect(screen.queryByText(/on hold/u)).toBeNull()
  unmount()
  await show(<Balance />, { session: { ...MEMBER, user: { ...anna, balance: '7.50', held: '2.50' } } })
  expect(document.querySelector('[data-balance]')?.textContent).toMatch(/7\.50/u)
  screen.getByText(/2\.50.*on hold/u)
})
