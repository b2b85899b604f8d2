import { screen } from '@testing-library/react'
import { useState } from 'react'
import { expect, test } from 'vitest'
import type { StaffTicket } from '#contract/staff/staff-room.ts'
import { MEMBER } from '#test/components/app-context.ts'
import { refusal } from '#test/components/fake-api.ts'
import { show } from '#test/components/show.tsx'
import { Compose } from './compose.tsx'

// The cast is safe, because the ticket has all fields that the composer reads.
const ticketWith = (...ids: number[]) =>
  ({ id: 7, can_refund: true, buyer: { locale: 'en', name: '' }, messages: ids.map((id) => ({ id })) }) as StaffTicket

function Desk() {
  const [ticket, setTicket] = useState(ticketWith(1))
  return (
    <>
      <Compose ticket={ticket} />
      <button type="button" onClick={() => setTicket(ticketWith(1, 2))}>
        a colleague answers
      </button>
    </>
  )
}

test('an answer that a colleague gave while this one was written is not taken as seen; an empty one says so', async () => {
  const sent: unknown[] = []
  const { user } = await show(<Desk />, {
    session: MEMBER,
    answers: {
      'GET /api/v1/staff/answers': { status: true, data: [], can_change: false },
      'POST /api/v1/staff/tickets/{id}/messages': (input) => {
        sent.push(input)
        throw refusal(409, 'TICKET_ANSWERED', { message: 'Somebody has answered' })
      },
    },
  })
  const press = () => user.click(screen.getAllByRole('button', { name: 'Reply' }).at(-1) ?? document.body)
  await press()
  await screen.findByText('Write something first')
  await user.type(screen.getByRole('textbox'), 'We look into it')
  await user.click(screen.getByRole('button', { name: 'a colleague answers' }))
  await press()
  await expect.poll(() => sent).toMatchObject([{ text: 'We look into it', seen: 1 }])
  await press()
  await expect.poll(() => sent.length).toBe(2)
  expect(sent[1]).toMatchObject({ seen: 2 })
})
