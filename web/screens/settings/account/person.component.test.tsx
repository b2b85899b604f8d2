import { screen, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { anna, MEMBER } from '#test/components/app-context.ts'
import { show } from '#test/components/show.tsx'
import { Leaving } from './leaving.tsx'
import { Person } from './person.tsx'

test('N-20: the account page says who one is, in which currency one pays and since when', async () => {
  await show(<Person />, { session: MEMBER })
  const facts = screen.getAllByRole('term').map((term) => {
    const value = within(term.parentElement ?? term).getAllByRole('definition')[0]
    return `${term.textContent}: ${value?.textContent}`
  })
  expect(facts).toEqual([
    'E-mail: anna@ringpost.test',
    'Name: Anna',
    'Currency: RUB, ₽',
    expect.stringMatching(/^Member since: .*2025/u),
    'Account number: 1',
  ])
  screen.getByRole('link', { name: 'Change' })
})

test('an account without e-mail is asked for one, and a missing name has no line', async () => {
  await show(<Person />, { session: { ...MEMBER, user: { ...anna, email: '', name: '' } } })
  screen.getByText('No e-mail yet')
  screen.getByRole('link', { name: 'Add an e-mail' })
  expect(screen.queryByText('Name')).toBeNull()
})

test('N-20: the account page leads out: the session ends here, and the account is deleted on its page', async () => {
  const { user, sent } = await show(<Leaving />, { session: MEMBER, answers: { 'POST /api/logout': { status: true } } })
  expect(screen.getByRole('link', { name: 'Delete account' }).getAttribute('href')).toBe('/settings/privacy')
  expect(screen.getByRole('link', { name: 'Sessions on other devices' }).getAttribute('href')).toBe(
    '/settings/sessions',
  )
  await user.click(screen.getByRole('button', { name: 'Log out' }))
  expect(sent.map(({ key }) => key)).toContain('POST /api/logout')
})
