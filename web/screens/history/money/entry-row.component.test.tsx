import { screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import type { Entry } from '#contract/past/entries.ts'
import { MEMBER } from '#test/components/app-context.ts'
import { show } from '#test/components/show.tsx'
import { EntryRow } from './entry-row.tsx'

const at = (hour: number) => `2026-01-01T${String(hour).padStart(2, '0')}:00:00.000Z`
const step = (id: number, kind: Entry['steps'][number]['kind'], change: string): Entry['steps'][number] => ({
  id,
  kind,
  change,
  purpose: null,
  at: at(id),
  amount: change === '0.00' ? '12.00' : change.replace('-', ''),
})

const PURCHASE: Entry = {
  id: 1,
  kind: 'activation',
  amount: '-12.00',
  balance: '88.00',
  currency: 'rub',
  at: at(1),
  parts: [
    { kind: 'hold', amount: '12.00' },
    { kind: 'capture', amount: '12.00' },
  ],
  steps: [step(2, 'capture', '0.00'), step(1, 'hold', '-12.00')],
  steps_count: 2,
  subject: {
    id: 100_000_001,
    preorder_id: null,
    service: { id: 'tg', name: 'Telegram' },
    country: { id: 2, name: 'Kazakhstan', iso2: 'KZ', dial: '7' },
  },
  payment: null,
}

const PAYMENT: Entry = {
  id: 9,
  kind: 'payment',
  amount: '535.00',
  balance: '535.00',
  currency: 'rub',
  at: at(9),
  subject: null,
  parts: [
    { kind: 'topup', amount: '500.00' },
    { kind: 'fee', amount: '15.00' },
    { kind: 'bonus', amount: '50.00' },
    { kind: 'dispute', amount: '500.00' },
    { kind: 'debt', amount: '450.00' },
    { kind: 'dispute_won', amount: '500.00' },
  ],
  steps: [step(9, 'dispute_won', '500.00'), step(8, 'topup', '500.00')],
  steps_count: 60,
  payment: { transaction_id: 'RP-7', name: 'Card', state: 'paid', dispute: 'won' },
}

const row = (entry: Entry) => (
  <table>
    <tbody>
      <EntryRow entry={entry} />
    </tbody>
  </table>
)

const said = () => document.body.textContent?.replaceAll(/[\u00a0\u202f]/gu, ' ').replaceAll('−', '-')

test('a purchase says what became of its money, and shows each movement when it is opened', async () => {
  const { user } = await show(row(PURCHASE), { session: MEMBER })
  expect(said()).toMatch(/Charged.*2 transactions/u)
  expect(said()).not.toMatch(/12\.00 ₽ put on hold/u)
  expect(said()).toMatch(/Activation#100000001/u)
  await user.click(screen.getByRole('button', { name: '2 transactions', expanded: false }))
  expect(screen.getAllByText('Charged')).toHaveLength(2)
  expect(said()).toMatch(/12\.00 ₽ from money on hold/u)
  await user.click(screen.getByRole('button', { name: '2 transactions', expanded: true }))
  expect(screen.getAllByText('Charged')).toHaveLength(1)
})

const partsOf = (...parts: [Entry['parts'][number]['kind'], string][]) =>
  parts.map(([kind, amount]) => ({ kind, amount }))

test.each<[string, Entry['parts']]>([
  ['On hold', partsOf(['hold', '12.00'])],
  ['Charged', partsOf(['hold', '12.00'], ['capture', '12.00'])],
  ['Released: 12.00 ₽', partsOf(['hold', '12.00'], ['release', '12.00'])],
  ['Charged 5.00 ₽ of 12.00 ₽', partsOf(['hold', '12.00'], ['capture', '5.00'], ['release', '7.00'])],
  ['Charged, then refunded: 12.00 ₽', partsOf(['hold', '12.00'], ['capture', '12.00'], ['refund', '12.00'])],
])('the money of a purchase is told in one state: %s', async (words, parts) => {
  const { container } = await show(row({ ...PURCHASE, parts }))
  expect(container.querySelector('[data-cell=what] span span')?.textContent?.replaceAll('\u00a0', ' ')).toBe(words)
  expect(container.querySelector('[data-cell=what] [style]')).not.toBeNull()
})

test('a payment that was disputed and won leads to its receipt, and says what it does not list', async () => {
  const { user } = await show(row(PAYMENT), { session: MEMBER, locale: 'ru' })
  expect(said()).toMatch(
    /пополнено на 500,00 ₽ → комиссия 15,00 ₽ → бонус 50,00 ₽ → оспорено 500,00 ₽ → записано в долг 450,00 ₽ → спор закрыт, вернулось 500,00 ₽/u,
  )
  expect(said()).toMatch(/\+535,00 ₽/u)
  expect(said()).toMatch(/оплачен, спор закрыт/u)
  const links = screen.getAllByRole('link', { name: 'квитанция' })
  expect(links).toHaveLength(2)
  for (const link of links) expect(link.getAttribute('href')).toMatch(/\?view=payments&payment=RP-7$/u)
  await user.click(screen.getByRole('button', { name: '60 операций' }))
  screen.getByText('Ещё 10 более ранних операций есть в выписке.')
})

test('what stands alone says who moved it, and a nought has no sign', async () => {
  const alone: Entry = {
    ...PURCHASE,
    kind: 'alone',
    subject: null,
    steps: [step(1, 'credit', '5.00')],
    steps_count: 1,
  }
  const { unmount } = await show(row({ ...alone, parts: [{ kind: 'repayment', amount: '5.00' }], amount: '0.00' }))
  expect(said()).toMatch(/from incoming moneyDebt repaid.*from incoming money/u)
  expect(said()).not.toMatch(/[+-]0\.00/u)
  expect(screen.queryByRole('button')).toBeNull()
  unmount()
  await show(row({ ...alone, parts: [{ kind: 'credit', amount: '5.00' }] }))
  expect(said()).toMatch(/Manually, by staff/u)
})
