import { act, screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import type { PaymentRecord } from '#contract/payment.ts'
import { anna, MEMBER, NOW } from '#test/components/app-context.ts'
import { show } from '#test/components/show.tsx'
import { LatestPayments } from './latest-payments.tsx'
import { Outcome, readBack, useOutcome } from './outcome.tsx'

const PAID: PaymentRecord = {
  transaction_id: 'one',
  system: 'card',
  name: 'Card',
  mark: 'card',
  form: 'redirect',
  state: 'paid',
  closed: false,
  dispute: null,
  sum: '500.00',
  currency: 'rub',
  fee: '0.00',
  bonus: '0.00',
  received: '500.00',
  refunded: '0.00',
  credited: '500.00',
  redirect_url: null,
  address: null,
  amount: '500.00',
  asset: null,
  network: null,
  qrCode: null,
  wallet_url: null,
  instructions: null,
  confirmations: null,
  created_at: NOW,
  expired_at: NOW,
  paid_at: NOW,
}

function Shown({ back = null }: { back?: string | null }) {
  return <Outcome outcome={useOutcome({ transactionId: 'one', back, latest: [] })} open="" />
}

async function showOutcome(change: Partial<PaymentRecord>, debt = '0.00'): Promise<string> {
  const user = { ...anna, debt }
  const data = { ...PAID, ...change }
  const answers = { 'GET /api/user': user, 'GET /api/v1/payments/{transaction_id}': { status: true, data } } as const
  await show(<Shown />, { session: { ...MEMBER, user }, answers })
  return (await screen.findByText(/\d/u)).textContent ?? ''
}

test('of a partial payment that goes back it says what goes back, not what was asked for', async () => {
  const words = await showOutcome({ state: 'refunded', received: '300.00', refunded: '300.00', credited: '0.00' })
  expect(words).toContain('300')
  expect(words).not.toContain('500')
})

test('of money that went to a debt it says so, and what is left to pay', async () => {
  expect(await showOutcome({ sum: '400.00', received: '400.00', credited: '400.00' }, '100.00')).toMatch(
    /400.*credited.*your debt.*100/u,
  )
})

test('without a debt nothing is said of one', async () => {
  expect(await showOutcome({})).toMatch(/500.*credited\.$/u)
})

test('the way back to the purchase is kept over the bank’s page, and taken once', async () => {
  const answers = {
    'GET /api/user': anna,
    'GET /api/v1/payments/{transaction_id}': { status: true, data: PAID },
  } as const
  const options = { session: MEMBER, answers }
  const first = await show(<Shown back="/?service=tg&country=2" />, options)
  await screen.findByRole('link', { name: 'Back to your purchase' })
  first.unmount()
  const second = await show(<Shown />, options)
  const way = await screen.findByRole('link', { name: 'Back to your purchase' })
  expect(way.getAttribute('href')).toBe('/?service=tg&country=2')
  await second.user.click(way)
  expect(readBack()).toBeNull()
})

test('a payment without a purchase behind it leads to the numbers, unless no money came', async () => {
  const [partial, failed] = [
    { ...PAID, state: 'partial' },
    { ...PAID, state: 'failed', credited: '0.00' },
  ] as const
  for (const [data, shown] of [
    [PAID, true],
    [partial, true],
    [failed, false],
  ] as const) {
    const answers = {
      'GET /api/user': anna,
      'GET /api/v1/payments/{transaction_id}': { status: true, data },
    } as const
    const { unmount } = await show(<Shown />, { session: MEMBER, answers })
    await waitFor(() => expect(screen.getByRole('status').textContent).not.toBe(''))
    expect(screen.queryByRole('link', { name: 'Buy a number' })?.getAttribute('href')).toBe(shown ? '/' : undefined)
    unmount()
  }
})

test('a payment that its payer closed is not told as one whose time is over', async () => {
  await show(<LatestPayments payments={[{ ...PAID, state: 'expired', received: '0.00', closed: true }]} />)
  screen.getByText('closed by you')
})

test('in the list no plus stands before what a payment has cost its payer', async () => {
  const costly = { ...PAID, state: 'disputed', refunded: '520.00', credited: '-20.00' } as const
  await show(<LatestPayments payments={[costly, { ...PAID, transaction_id: 'two' }]} />, { session: MEMBER })
  const sums = screen.getAllByText(/\d\D*00/u).map(({ textContent }) => textContent ?? '')
  expect(sums.filter((sum) => sum.includes('+'))).toHaveLength(1)
  expect(sums.find((sum) => sum.includes('20'))).not.toContain('+')
})

test('what the page tells of a payment is read in the bell; a notice of another payment stays', async () => {
  const read = { status: true, notifications_count: 1 } as const
  const answers = {
    'GET /api/user': { ...anna, notifications_count: 1 },
    'GET /api/v1/payments/{transaction_id}': { status: true, data: PAID },
    'POST /api/v1/notifications/read-link': read,
  } as const
  const { app, sent } = await show(<Shown />, {
    session: MEMBER,
    answers,
  })
  const link = '/history?view=payments&payment=one'
  const asked = () => sent.filter(({ key }) => key === 'POST /api/v1/notifications/read-link')
  await waitFor(() => expect(asked()).toMatchObject([{ input: { link } }]))
  const words = { title: '500.00 credited', text: '', created_at: NOW, read: false, isSocket: true } as const
  const told = { id: 1, category: 'payments', kind: 'payment-credited', ...words, notifications_count: 1 } as const
  act(() => app.live.emit({ name: 'NewUserNotification', payload: { ...told, link: `${link}-more` } }))
  expect(asked()).toHaveLength(1)
  act(() => app.live.emit({ name: 'NewUserNotification', payload: { ...told, link } }))
  await waitFor(() => expect(asked()).toHaveLength(2))
})
