import { cleanup, screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import type { PaymentRecord } from '#contract/payment.ts'
import { MEMBER } from '#test/components/app-context.ts'
import { refusal } from '#test/components/fake-api.ts'
import { show } from '#test/components/show.tsx'
import { unfiltered } from '../history-filter.ts'
import { PaymentRow } from './payment-row.tsx'
import { Receipt } from './receipt.tsx'

const PAID: PaymentRecord = {
  transaction_id: 'RP-7',
  system: 'card',
  name: 'Card',
  mark: 'card',
  form: 'redirect',
  state: 'paid',
  closed: false,
  dispute: null,
  sum: '500.00',
  currency: 'rub',
  fee: '15.00',
  bonus: '50.00',
  credited: '535.00',
  received: '500.00',
  refunded: '0.00',
  redirect_url: null,
  address: null,
  amount: '500.00',
  asset: null,
  network: null,
  qrCode: null,
  wallet_url: null,
  instructions: null,
  confirmations: null,
  created_at: '2026-01-01T10:00:00.000Z',
  expired_at: '2026-01-01T11:00:00.000Z',
  paid_at: '2026-01-01T10:05:00.000Z',
}
const contacts = { email: 'help@ringpost.test', telegram: null }
const CONTACTS = { status: true, loyalty: null, referral: null, contacts } as const

const receipt = <Receipt transactionId="RP-7" choice={{ ...unfiltered('payments'), payment: 'RP-7' }} />
const open = (payment: PaymentRecord, locale: 'ru' | 'en' = 'en') =>
  show(receipt, {
    session: MEMBER,
    locale,
    answers: {
      'GET /api/v1/programmes': CONTACTS,
      'GET /api/v1/payments/{transaction_id}': { status: true, data: payment },
    },
  })
const factsOf = () =>
  [...document.querySelectorAll('dl > div')].map((fact) => fact.textContent?.replaceAll('\u00a0', ' '))

test('a receipt says who, when, how much and for what, and that it is no fiscal one', async () => {
  await open(PAID)
  await screen.findByText('Paid in full.')
  screen.getByText('help@ringpost.test')
  screen.getByText(/not an official tax receipt/u)
  const facts = factsOf()
  expect(facts[0]).toBe('Payment numberRP-7')
  expect(facts.slice(-5)).toEqual([
    'Amount requested500.00 ₽',
    'Arrived500.00 ₽',
    expect.stringMatching(/^Fee[-−]15\.00 ₽$/u),
    'Bonus50.00 ₽',
    'Credited to your balance535.00 ₽',
  ])
  screen.getByRole('button', { name: 'Print' })
  screen.getByText(`Time zone: ${Intl.DateTimeFormat().resolvedOptions().timeZone}`)
})

test('a payment that nothing came for promises nothing, and one that went back says how much', async () => {
  const { unmount } = await open({ ...PAID, state: 'expired', received: '0.00', credited: '0.00', paid_at: null }, 'ru')
  await screen.findByText('Время на оплату вышло.')
  expect(factsOf().at(-1)).toBe('Сумма платежа500,00 ₽')
  unmount()
  await open({ ...PAID, state: 'refunded', bonus: '0.00', refunded: '500.00', credited: '-15.00' }, 'ru')
  await screen.findByText(/Платёж возвращён: мы отправили вам 500,00\s₽/u)
  expect(factsOf().at(-2)).toMatch(/^Вернули вам[-−]500,00 ₽$/u)
  cleanup()
  await open({ ...PAID, state: 'disputed', dispute: 'open', refunded: '500.00', credited: '35.00' })
  await screen.findByText(/^Disputed with the bank/u)
  cleanup()
  await open({ ...PAID, state: 'disputed', dispute: 'lost', refunded: '500.00', credited: '35.00' })
  await screen.findByText(/^The bank decided .* 500\.00\s₽ was refunded and stays off your balance\.$/u)
})

test('one that its payer closed says so; its row promises no receipt', async () => {
  const closed = { ...PAID, state: 'expired', closed: true, received: '0.00', credited: '0.00', paid_at: null } as const
  const { unmount } = await open(closed, 'ru')
  await screen.findByText('Вы закрыли этот платёж, деньги не приходили.')
  screen.getByRole('heading', { name: 'Платёж' })
  expect([screen.queryByRole('button', { name: 'Напечатать' }), screen.queryByText(/фискальный/u)]).toEqual([
    null,
    null,
  ])
  unmount()
  await show(
    <table>
      <tbody>
        <PaymentRow payment={closed} choice={unfiltered('payments')} />
      </tbody>
    </table>,
    { session: MEMBER, locale: 'ru' },
  )
  screen.getByText('закрыт вами')
  const link = screen.getByRole('link', { name: 'Подробности: Card, RP-7' })
  expect([link.textContent, link.getAttribute('href')]).toEqual([
    'подробности',
    expect.stringMatching(/\?view=payments&payment=RP-7$/u),
  ])
})

test('a payment of somebody else does not open', async () => {
  await show(receipt, {
    session: MEMBER,
    answers: {
      'GET /api/v1/programmes': CONTACTS,
      'GET /api/v1/payments/{transaction_id}': () => {
        throw refusal(404, 'NOT_FOUND')
      },
    },
  })
  await screen.findByText('The payment didn’t open', {}, { timeout: 10_000 })
})
