import { screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { activationRecord } from '#test/builders/activation-record.ts'
import { rentalRecord } from '#test/builders/rental-record.ts'
import { anna, MEMBER } from '#test/components/app-context.ts'
import { show } from '#test/components/show.tsx'
import { ACTIVATIONS, RENTALS } from '#web/numbers/list/number-kind.ts'
import { NumberMessages } from './number-messages.tsx'
import { MessageCards, MessagesLink, TicketMessages } from './ticket-messages.tsx'

const NOTICE = {
  id: 7,
  sender: '',
  text: '',
  code: null,
  received_at: '2026-05-01T12:01:00.000Z',
  withheld: true as const,
  notice: true as const,
}

test('a message that came after the money went back is named, and there is nothing to copy', async () => {
  const message = { id: 1, sender: '', text: '', code: null, received_at: '2026-05-01T12:01:00.000Z' }
  await show(<MessageCards messages={[{ ...message, late: true, withheld: true }]} />)
  expect(screen.getByText(/after we refunded you|после возврата денег/)).toBeTruthy()
  expect(screen.queryByRole('button')).toBeNull()
})

test('a late message without a sender begins with no dot', async () => {
  const message = { id: 1, sender: '', text: 'Code 123', code: null, received_at: '2026-05-01T12:01:00.000Z' }
  const { container } = await show(<MessageCards messages={[{ ...message, late: true }]} />)
  expect(container.querySelector('li p')?.textContent).toMatch(/^(arrived|came|late|after)/i)
})

test('OP-1: the dialog of a number opens its notices too, and shows their words in place', async () => {
  const waiting = activationRecord({ messages: [NOTICE], expires_at: '2099-01-01T00:00:00.000Z' })
  const { withheld: _, ...read } = { ...NOTICE, sender: 'Telegram', text: 'New sign-in from Chrome' }
  const opened = { ...waiting, state: 'received' as const, money: 'captured' as const, messages: [read] }
  const { user, sent } = await show(<NumberMessages kind={ACTIVATIONS} id={1} />, {
    session: MEMBER,
    answers: {
      'GET /api/user': { ...anna, settings: { ...anna.settings, confirmation_actions: false } },
      'GET /api/v1/activations/{id}': { status: true, data: waiting },
      'POST /api/v1/activations/{id}/open': { status: true, data: opened },
    },
  })
  await user.click(await screen.findByRole('button', { name: /^Read notice ·/ }))
  await screen.findByText('New sign-in from Chrome')
  expect(screen.queryByRole('region', { name: /A notice arrived/ })).toBeNull()
  await waitFor(() => expect(sent.map(({ key }) => key)).toContain('POST /api/v1/activations/{id}/open'))
})

test('OP-1: an ended number says that its notice cost nothing, and gives nothing to open or copy', async () => {
  const ended = activationRecord({ state: 'used', final: true, money: 'released', messages: [NOTICE] })
  await show(<TicketMessages record={ended} />)
  screen.getByText('A notice without a code arrived. You weren’t charged.')
  await show(<MessageCards messages={ended.messages} />)
  expect(screen.getAllByText(/You weren’t charged/)).toHaveLength(2)
  expect(screen.queryByRole('button')).toBeNull()
})

test('OP-1: folded messages are one line, on the ticket and in the dialog, of rentals too', async () => {
  const message = {
    ...NOTICE,
    text: 'Code 48213',
    code: '48213',
    sender: 'Telegram',
    withheld: undefined,
    notice: undefined,
  }
  const record = rentalRecord({ messages: [message], messages_count: 1, folded: 4 })
  await show(<TicketMessages record={record} />)
  screen.getByText('and 4 more messages without a code')
  const answers = { 'GET /api/v1/rentals/{id}': { status: true as const, data: record } }
  await show(<NumberMessages kind={RENTALS} id={record.id} />, { session: MEMBER, answers })
  await waitFor(() => expect(screen.getAllByText('and 4 more messages without a code')).toHaveLength(2))
})

test('N-14: a ticket names the sender before a text that does not', async () => {
  const sms = { code: null, received_at: '2026-05-01T12:01:00.000Z' }
  const messages = [
    { ...sms, id: 1, sender: 'Telegram', text: 'Your Telegram code: 1' },
    { ...sms, id: 2, sender: 'InfoSMS', text: 'Your code is 2' },
  ]
  await show(<TicketMessages record={activationRecord({ messages })} />)
  const words = screen.getAllByRole('listitem').map(({ firstChild }) => firstChild?.textContent)
  expect(words).toEqual(['InfoSMS: Your code is 2', 'Your Telegram code: 1'])
})

test.each([
  [1, 'Code 48213', null],
  [1, `Code 48213. ${'Never tell it to anybody. '.repeat(3)}`, 'Full text'],
  [1, 'Code 48213\n\n@tlgrm.example #48213', 'Full text'],
  [3, 'Code 48213', 'Show 3 messages'],
])('of %i messages, the last %j, a ticket that shows two lines offers %j', async (count, text, offered) => {
  const message = { id: 1, sender: 'Telegram', text, code: '48213', received_at: '2026-05-01T12:01:00.000Z' }
  const record = activationRecord({ state: 'received', messages: [message] })
  await show(<MessagesLink kind="activation" record={record} count={count} />)
  expect(screen.queryByRole('button')?.textContent ?? null).toBe(offered)
})
