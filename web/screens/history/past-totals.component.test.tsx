import { screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import type { HistoryTotals, Statement } from '#contract/past/history.ts'
import { MEMBER } from '#test/components/app-context.ts'
import { refusal } from '#test/components/fake-api.ts'
import { show } from '#test/components/show.tsx'
import { usePastNews } from './past-events.ts'
import { MoneyTotals, NumbersTotals } from './past-totals.tsx'

const TOTALS: HistoryTotals = {
  currency: 'rub',
  purchases: 1234,
  spent: '640.50',
  set_aside: '13.00',
  returned: '90.00',
  codes: 41,
  ended: 50,
  success_share: 0.82,
  is_cut: false,
}
const STAND = { available: '0.00', held: '0.00', debt: '0.00' }
const STATEMENT: Statement = {
  currency: 'rub',
  from: null,
  to: null,
  opening: STAND,
  closing: STAND,
  sums: [
    { kind: 'hold', in: '0.00', out: '730.50', count: 60 },
    { kind: 'release', in: '90.00', out: '0.00', count: 7 },
    { kind: 'topup', in: '1000.00', out: '0.00', count: 2 },
    { kind: 'debit', in: '0.00', out: '5.00', count: 1 },
  ],
  charged: { amount: '640.50', count: 53 },
  at: '2026-03-01T12:00:00.000Z',
}
const figures = () =>
  screen
    .queryAllByRole('term')
    .map((term) => term.parentElement?.textContent?.replaceAll(/\s/gu, ' ').replaceAll('−', '-'))

test('the totals are of everything that the filter finds, and are asked for without the page', async () => {
  const { sent } = await show(<NumbersTotals input={{ mode: 'rent', per_page: 20 }} />, {
    session: MEMBER,
    answers: { 'GET /api/v1/history/totals': { status: true, data: TOTALS } },
  })
  await waitFor(() =>
    expect(figures()).toEqual([
      'Purchases1,234',
      'Charged640.50 ₽plus 13.00 ₽ on hold',
      'Back on your balance90.00 ₽',
      'Success rate82%41 of 50 activations got a code',
    ]),
  )
  expect(sent).toMatchObject([{ key: 'GET /api/v1/history/totals', input: { mode: 'rent' } }])
  expect(sent[0]?.input).not.toHaveProperty('per_page')
})

test('the sums of money are by kind, what was charged in the place of what was set aside', async () => {
  const answers = { 'GET /api/v1/statement': { status: true, data: STATEMENT } } as const
  const { unmount } = await show(<MoneyTotals input={{}} />, { session: MEMBER, answers })
  await waitFor(() =>
    expect(figures()).toEqual([
      'Charged for purchases-640.50 ₽53 times',
      'Top-up+1,000.00 ₽2 times',
      'Debit-5.00 ₽once',
    ]),
  )
  unmount()
  await show(<MoneyTotals input={{ direction: 'in' }} />, { session: MEMBER, answers })
  await waitFor(() => expect(figures()).toEqual(['Top-up+1,000.00 ₽2 times']))
})

test('totals that do not load leave no trace, because the list is what people came for', async () => {
  const { sent } = await show(<NumbersTotals input={{}} />, {
    session: MEMBER,
    answers: {
      'GET /api/v1/history/totals': () => {
        throw refusal(429, 'TOO_MANY_REQUESTS')
      },
    },
  })
  await waitFor(() => expect(sent.length).toBeGreaterThan(0))
  await waitFor(() => expect(screen.queryByLabelText('Totals')).toBeNull())
})

function WithNews() {
  usePastNews()
  return <NumbersTotals input={{}} />
}

test('news during a request are followed by one more request, as the reply may lack them', async () => {
  const replies: ((totals: HistoryTotals) => void)[] = []
  const { app } = await show(<WithNews />, {
    session: MEMBER,
    answers: {
      'GET /api/v1/history/totals': () =>
        new Promise((resolve) => replies.push((data) => resolve({ status: true, data }))),
    },
  })
  await waitFor(() => expect(replies).toHaveLength(1))
  for (const state of ['connected', 'offline', 'connected'] as const) app.live.state.set(state)
  // The news are handled in microtasks, before a reply of the network could come.
  await new Promise((resolve) => setTimeout(resolve))
  replies[0]?.(TOTALS)
  await waitFor(() => expect(figures()).toContain('Purchases1,234'))
  await waitFor(() => expect(replies).toHaveLength(2))
  replies[1]?.({ ...TOTALS, purchases: 1235 })
  await waitFor(() => expect(figures()).toContain('Purchases1,235'))
  expect(replies).toHaveLength(2)
})
