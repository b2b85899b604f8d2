import { screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import type { Privacy } from '#contract/privacy.ts'
import { anna, MEMBER } from '#test/components/app-context.ts'
import { show } from '#test/components/show.tsx'
import { DeleteAccount } from './delete-account.tsx'

const DUE = '2026-01-02T00:00:00.000Z'
const PRIVACY: Privacy = {
  export: null,
  next_export_at: null,
  balance: '10.00',
  currency: 'rub',
  deletion: { asked_at: DUE, due_at: DUE, days_left: 1, gives_up: '1000000000.00', waits_for: [] },
  consents: [],
}

test('a guest sees when the account ends, and registers to keep it', async () => {
  const guest = { ...anna, email: '', deletion_at: DUE, guest: true as const }
  const { user } = await show(<DeleteAccount privacy={PRIVACY} />, {
    session: { ...MEMBER, user: guest },
    answers: { 'GET /api/user': guest },
  })
  screen.getByText(/lose your numbers and play money on/u)
  expect(screen.queryByText(/1,000,000,000/u)).toBeNull()
  expect(screen.queryByRole('button', { name: /Keep my account/u })).toBeNull()
  await user.click(screen.getByRole('button', { name: 'Register to save them' }))
  await screen.findByRole('dialog', { name: 'Register' })
  expect(screen.queryByText(/Already have an account/u)).toBeNull()
})

test('a member who asked for the deletion sees the money that goes with it, and keeps the account', async () => {
  await show(<DeleteAccount privacy={PRIVACY} />, { session: MEMBER })
  screen.getByText(/1,000,000,000/u)
  screen.getByRole('button', { name: 'Keep my account' })
})
