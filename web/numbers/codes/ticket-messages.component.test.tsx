import { screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { show } from '#test/components/show.tsx'
import { MessageCards } from './ticket-messages.tsx'

test('a message that came after the money went back is named, and there is nothing to copy', async () => {
  const message = { id: 1, sender: '', text: '', code: null, received_at: '2026-05-01T12:01:00.000Z' }
  await show(<MessageCards messages={[{ ...message, late: true, withheld: true }]} />)
  expect(screen.getByText(/after the money went back|После возврата денег/)).toBeTruthy()
  expect(screen.queryByRole('button')).toBeNull()
})
