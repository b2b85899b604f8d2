import { act, screen, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { anna, MEMBER, VISITOR } from '#test/components/app-context.ts'
import { show } from '#test/components/show.tsx'
import { NotFound } from '#web/screens/not-found/not-found.tsx'
import { readyForMembers } from './for-members.tsx'
import { Header } from './header.tsx'

const sections = () =>
  within(screen.getByRole('navigation', { name: 'Sections' }))
    .getAllByRole('link')
    .map((link) => link.textContent)

test('2.10, 2.12: a visitor has their sections in order, the theme, the language, and two ways in', async () => {
  const { app } = await show(<Header />)
  expect(sections()).toEqual(['Home', 'Loyalty program', 'Prices', 'Blog', 'FAQ'])
  screen.getByRole('button', { name: /^Dark theme/ })
  screen.getByRole('button', { name: 'Log in' })
  screen.getByRole('button', { name: 'Register' })
  expect(app.page.locales).toEqual(['en'])
  expect(screen.queryByRole('button', { name: /^Language/ })).toBeNull()
  expect(screen.queryByRole('link', { name: 'Top up your balance' })).toBeNull()
  expect(screen.queryByRole('button', { name: /otification/ })).toBeNull()
})

test('2.10, 2.12: a member has sections with counts, the balance, the top-up, the bell and the menu', async () => {
  await readyForMembers()
  const user = { ...anna, notifications_count: 3, activations: { count: 2, rent_count: 1 } }
  const { app, user: person } = await show(<Header />, { session: { ...MEMBER, user } })
  expect(sections()).toEqual([
    'Home',
    expect.stringMatching(/^Activations.*2/),
    expect.stringMatching(/^Rent.*1/),
    'Prices',
    'Blog',
    'FAQ',
  ])
  screen.getByText(/10\.00/u)
  expect(screen.getByRole('link', { name: 'Top up your balance' }).getAttribute('href')).toBe('/top-up')
  expect(screen.getByRole('button', { name: '3 new notifications' }).textContent).toBe('3')
  const quiet = {
    ...user,
    notifications_count: 0,
    activations: { count: 0, rent_count: 0 },
  }
  act(() => {
    app.queryClient.setQueryData(['user'], quiet)
  })
  expect((await screen.findByRole('button', { name: 'Notifications' })).textContent).toBe('')
  expect(sections()).toEqual(['Home', 'Activations', 'Rent', 'Prices', 'Blog', 'FAQ'])
  await person.click(screen.getByRole('button', { name: 'Menu' }))
  await screen.findByText(anna.email)
})

test('2.12: until the user is here the balance is a skeleton of its size', async () => {
  const answer = Promise.withResolvers<typeof anna>()
  const { app } = await show(<Header />, {
    session: { status: 'authenticated', token: 'first', user: null },
    answers: { 'GET /api/user': () => answer.promise },
  })
  const place = () => screen.getByText('Balance', { selector: '.sr-only' }).nextElementSibling
  expect(place()?.className).toMatch(/\bw-24\b/)
  expect(screen.queryByText(/₽/u)).toBeNull()
  await act(async () => answer.resolve(anna))
  await screen.findByText(/10\.00/u)
  expect(app.session.get().status).toBe('authenticated')
})

test('2.5: a page that does not exist leads a member to support, and a visitor to the login', async () => {
  const { unmount } = await show(<NotFound />, { session: MEMBER })
  screen.getByRole('heading', { name: 'This page doesn’t exist' })
  expect(screen.getByRole('link', { name: 'Contact support' }).getAttribute('href')).toBe('/support')
  expect(screen.getByRole('link', { name: 'Go to the home page' }).getAttribute('href')).toBe('/')
  unmount()
  const { user } = await show(<NotFound />, { session: VISITOR })
  await user.click(screen.getByRole('button', { name: 'Contact support' }))
  await screen.findByRole('dialog', { name: 'Log in' })
})
