import { act, screen, waitFor } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import type { CardNumber, StaffTicket } from '#contract/staff/staff-room.ts'
import { SECOND } from '#contract/time.ts'
import { anna, MEMBER } from '#test/components/app-context.ts'
import { show } from '#test/components/show.tsx'
import { WaitingCount } from '#web/staff/waiting-count.tsx'
import { BuyerNumber } from './buyer/buyer-number.tsx'
import { Writers } from './writing/writers.tsx'

const STAFF = { ...MEMBER, user: { ...anna, role: 'support' as const } }
const number: CardNumber = {
  kind: 'rental',
  id: 500_000_001,
  about: true,
  phone: '77051234567',
  supplier: 'simulator',
  state: 'finished',
  service: { id: 'tg', name: 'Telegram' },
  country: { id: 2, name: 'Kazakhstan', iso2: 'kz', dial: '7' },
  price: '13.00',
  messages_count: 1,
  refunded: true,
  refundable: null,
  created_at: '2026-07-01T10:00:00.000Z',
}
// The cast is safe, because the ticket has all fields that the card reads.
const ticket = { id: 7, can_refund: true, buyer: { currency: 'rub' } } as StaffTicket

test('a colleague who writes is named, and the line ends by itself; one’s own writing and other tickets are not', async () => {
  const { app } = await show(<Writers ticketId={7} />, { session: STAFF })
  const writes = (ticketId: number, id: number, name: string) =>
    act(() => app.live.emit({ name: 'StaffWriting', payload: { ticketId, by: { id, name } } }))
  const passes = (seconds: number) =>
    act(() => {
      vi.advanceTimersByTime(seconds * SECOND)
    })
  vi.useFakeTimers()
  try {
    writes(8, 2, 'Boris')
    writes(7, anna.id, 'Anna')
    expect(screen.getByRole('status').textContent).toBe('')
    writes(7, 2, 'Boris')
    expect(screen.getByRole('status').textContent).toBe('Boris is writing…')
    passes(8)
    writes(7, 2, 'Boris')
    writes(7, 3, 'Clara')
    passes(8)
    expect(screen.getByRole('status').textContent).toBe('Boris, Clara are writing…')
    passes(2)
    expect(screen.getByRole('status').textContent).toBe('')
    writes(7, 2, 'Boris')
    act(() => app.live.emit({ name: 'StaffTicketChanged', payload: { ticketId: 7 } }))
    expect(screen.getByRole('status').textContent).toBe('')
  } finally {
    vi.useRealTimers()
  }
})

test('the count of waiting tickets is in the header and in the title, live, whoever sets the title', async () => {
  let waiting = 0
  document.title = 'Home'
  const { app, unmount } = await show(<WaitingCount />, {
    session: STAFF,
    answers: { 'GET /api/v1/staff/waiting': () => ({ status: true, waiting }) },
  })
  await screen.findByRole('link', { name: 'Support desk: nobody is waiting' })
  waiting = 2
  act(() => app.live.emit({ name: 'StaffTicketChanged', payload: { ticketId: 7 } }))
  await screen.findByRole('link', { name: 'Support desk: 2 tickets waiting' })
  expect(document.title).toBe('(2) Home')
  document.title = 'Prices'
  await waitFor(() => expect(document.title).toBe('(2) Prices'))
  waiting = 120
  act(() => app.live.emit({ name: 'StaffTicketChanged', payload: { ticketId: 8 } }))
  await screen.findByText('99+')
  unmount()
  expect(document.title).toBe('Prices')
})

test('the card names order, phone and supplier to copy; the time-line tells in words, with seconds where they are needed', async () => {
  const line = (at: string, what: string, more: object = {}) => ({
    key: at + what,
    at,
    what,
    amount: null,
    by: null,
    ...more,
  })
  const { user } = await show(<BuyerNumber number={number} ticket={ticket} />, {
    session: STAFF,
    answers: {
      'GET /api/v1/staff/tickets/{id}/timeline': {
        status: true,
        data: [
          line('2026-07-01T10:00:00.000Z', 'money.hold', { amount: '13.00' }),
          line('2026-07-01T10:02:05.000Z', 'staff.ticket:refund', { amount: '13.00', by: 'Anna' }),
          line('2026-07-01T10:02:41.000Z', 'rental.finished'),
        ],
      },
    },
  })
  screen.getByText('rental:500000001')
  for (const name of ['Copy order number', 'Copy phone number', 'Copy supplier code'])
    screen.getByRole('button', { name })
  await user.click(screen.getByRole('button', { name: /^What happened/u }))
  const refund = (await screen.findByText(/^Anna refunded 13\.00/u)).closest('li')
  expect(refund?.textContent).toMatch(/:05$/u)
  expect(screen.getByText(/^Money put on hold/u).closest('li')?.textContent).not.toMatch(/:\d\d:\d\d/u)
  expect(screen.getAllByText('Finished').at(-1)?.closest('li')?.textContent).toMatch(/:41$/u)
})
