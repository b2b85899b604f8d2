import { screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import type { Referral, Withdrawal } from '#contract/programmes/referral.ts'
import { anna, MEMBER, NOW } from '#test/components/app-context.ts'
import type { Answers } from '#test/components/fake-api.ts'
import { show } from '#test/components/show.tsx'
import { WithdrawForm } from './withdraw-form.tsx'

const REFERRAL: Referral = {
  link: 'https://ringpost.test/?ref=1',
  percent: 10,
  of: 'spend',
  days: 7,
  pending_days: 14,
  months: 12,
  currency: 'rub',
  least: '20.00',
  most: null,
  pending: '0.00',
  checking: '0.00',
  available: '99.50',
  withdrawn: '0.00',
  invited: 1,
  paying: 1,
  networks: [{ code: 'play', name: 'Play' }],
  open_withdrawal: null,
}

test('in Russian the amount has its comma, and what cannot be paid out is said before it is sent', async () => {
  const { user, sent } = await show(<WithdrawForm referral={REFERRAL} />, { session: MEMBER, locale: 'ru' })
  const amount = screen.getByLabelText<HTMLInputElement>('Сумма')
  expect(amount.value).toBe('99,50')
  for (const [typed, words] of [
    ['12,345', 'Не больше двух знаков после запятой'],
    ['100', /^Доступно 99,50/u],
    ['сто', 'Введите сумму, например 500 или 99,50'],
  ] as const) {
    await user.clear(amount)
    await user.type(amount, `${typed}{Enter}`)
    await screen.findByText(words)
  }
  await user.click(screen.getByRole('button', { name: 'На адрес кошелька' }))
  await user.clear(amount)
  await user.type(amount, '19,99{Enter}')
  await screen.findByText(/^Не меньше 20,00/u)
  expect(sent).toEqual([])
})

test('the field begins with what can be moved: parts of a cent wait', async () => {
  const referral = { ...REFERRAL, available: '6.832' }
  await show(<WithdrawForm referral={referral} />, { session: MEMBER })
  expect(screen.getByLabelText<HTMLInputElement>('Amount').value).toBe('6.83')
})

test('an amount with a comma is sent as the call takes it', async () => {
  const data: Withdrawal = {
    id: 1,
    amount: '12.50',
    currency: 'rub',
    to: 'balance',
    network: null,
    network_name: null,
    address: null,
    tx: null,
    state: 'paid',
    created_at: NOW,
    changed_at: NOW,
  }
  const answers: Answers = {
    'GET /api/user': anna,
    'POST /api/v1/referral/withdrawals': { status: true, data, balance: '22.50' },
  }
  const { user, sent } = await show(<WithdrawForm referral={REFERRAL} />, { session: MEMBER, answers })
  const amount = screen.getByLabelText('Amount')
  await user.clear(amount)
  await user.type(amount, '12,5{Enter}')
  await screen.findByText('We’ve added the money to your balance')
  expect(sent.find(({ key }) => key.startsWith('POST'))?.input).toEqual({ amount: '12.50', to: 'balance' })
})
