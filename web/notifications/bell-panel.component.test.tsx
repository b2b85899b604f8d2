import { screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { MEMBER } from '#test/components/app-context.ts'
import { show } from '#test/components/show.tsx'
import { BellPanel } from './bell-panel.tsx'

test('the bell filters by a press, without a list to unfold', async () => {
  const { user, sent } = await show(<BellPanel close={() => undefined} />, {
    session: MEMBER,
    settings: { notificationCategories: ['payments', 'numbers', 'news'] },
    answers: { 'GET /api/v1/notifications': { status: true, notifications: [], next: null } as never },
  })
  const filter = await screen.findByRole('group', { name: 'Topic' })
  expect([...filter.querySelectorAll('button')].map(({ textContent }) => textContent)).toEqual([
    'All',
    'Money',
    'Numbers',
    'News',
  ])
  expect(screen.queryByRole('combobox')).toBeNull()
  await user.click(screen.getByRole('button', { name: 'Money' }))
  expect(screen.getByRole('button', { name: 'Money' }).getAttribute('aria-pressed')).toBe('true')
  await waitFor(() => expect(sent.at(-1)?.input).toMatchObject({ category: 'payments' }))
})
