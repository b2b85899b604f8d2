import { screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { anna, MEMBER } from '#test/components/app-context.ts'
import { show } from '#test/components/show.tsx'
import { MemberNotices } from './member-notices.tsx'

const AT = '2026-01-02T00:00:00.000Z'

test('a guest is told when the account ends, and registers although a session is open', async () => {
  const guest = { ...anna, email: '', deletion_at: AT, guest: true as const }
  const { user } = await show(<MemberNotices />, {
    session: { ...MEMBER, user: guest },
    answers: { 'GET /api/user': guest },
  })
  await screen.findByText('You’re buying as a guest.')
  expect(screen.queryByRole('button', { name: 'Keep the account' })).toBeNull()
  await user.click(screen.getByRole('button', { name: 'Register to save them' }))
  await screen.findByRole('dialog', { name: 'Register' })
})

test('a member who asked for the deletion keeps the account with one press', async () => {
  const leaving = { ...anna, deletion_at: AT }
  await show(<MemberNotices />, { session: { ...MEMBER, user: leaving }, answers: { 'GET /api/user': leaving } })
  await screen.findByRole('button', { name: /Keep/u })
  expect(screen.queryByText(/guest/u)).toBeNull()
})
