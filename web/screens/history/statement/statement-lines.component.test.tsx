import { expect, test } from 'vitest'
import type { MovementItem } from '#contract/past/history.ts'
import { MEMBER, NOW } from '#test/components/app-context.ts'
import { show } from '#test/components/show.tsx'
import { StatementLines } from './statement-lines.tsx'

const line = (id: number, kind: MovementItem['kind']): MovementItem => ({
  id,
  kind,
  amount: '5.00',
  balance: '5.00',
  currency: 'rub',
  subject: null,
  payment: null,
  at: NOW,
})

const bought = (id: number, money: 'held' | 'captured' | 'released'): MovementItem => ({
  ...line(id, 'hold'),
  subject: {
    purpose: 'activation',
    id,
    money,
    service: { id: 'tg', name: 'Telegram' },
    country: { id: 2, name: 'Kazakhstan', iso2: 'KZ', dial: '7' },
  },
})

test('a price is set aside as long as it is; once charged, or come back, it is a purchase', async () => {
  const items = [bought(3, 'held'), bought(2, 'captured'), bought(1, 'released')]
  const { container } = await show(<StatementLines items={items} />, { session: MEMBER })
  const said = [...container.querySelectorAll('tr[data-movement] td:first-child > span:first-child')]
  expect(said.map(({ textContent }) => textContent)).toEqual(['Put on hold', 'Purchase', 'Purchase'])
})

test('what belongs to no purchase and no payment says who moved it', async () => {
  const items = [line(4, 'hold'), line(3, 'credit'), line(2, 'loyalty'), line(1, 'repayment')]
  const { container } = await show(<StatementLines items={items} />, { session: MEMBER })
  const said = [...container.querySelectorAll('tr[data-movement] td:first-child')].map(({ textContent }) => textContent)
  expect(said).toEqual([
    expect.stringMatching(/^Purchase/u),
    expect.stringMatching(/^Credit.*Manually, by staff$/u),
    expect.stringMatching(/^Loyalty bonus.*From a bonus program$/u),
    expect.stringMatching(/^Debt repaid.*from incoming money$/u),
  ])
})
