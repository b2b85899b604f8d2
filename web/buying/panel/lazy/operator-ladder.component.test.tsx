import { screen, within } from '@testing-library/react'
import { useState } from 'react'
import { expect, test } from 'vitest'
import type { OperatorItem } from '#contract/catalog.ts'
import { show } from '#test/components/show.tsx'
import { OperatorLadder } from './operator-ladder.tsx'

const measured = { price: '9.00', count: 20, success_share: 0.61, median_seconds: 40, p90_seconds: null }
const ANY: OperatorItem = { ...measured, id: 'any', name: 'any' }
const CHEAP: OperatorItem = { ...measured, id: 'altel', name: 'altel' }
const GOOD: OperatorItem = {
  ...measured,
  id: 'beeline',
  name: 'beeline',
  price: '12.50',
  success_share: 0.943,
  median_seconds: 150,
}
const NEW: OperatorItem = {
  ...measured,
  id: 'kcell',
  name: 'kcell',
  price: '14.00',
  success_share: null,
  median_seconds: null,
}
const GONE: OperatorItem = { ...measured, id: 'tele2', name: 'tele2', price: '1.00', count: 0 }

function Chooser({ operators, chosen }: { operators: OperatorItem[]; chosen: string[] }) {
  const [id, setId] = useState('any')
  const select = (next: string) => {
    chosen.push(next)
    setId(next)
  }
  return <OperatorLadder operators={operators} currency="rub" selectedId={id} onSelect={select} />
}

test('P-16.6: the steps say price, share, time and stock, and the best share has a badge; a press chooses one', async () => {
  const chosen: string[] = []
  const { user } = await show(<Chooser operators={[ANY, CHEAP, GOOD, NEW, GONE]} chosen={chosen} />)
  await user.click(await screen.findByText('Compare 3 operators'))
  const steps = within(screen.getByRole('list', { name: /cheapest first/u })).getAllByRole('button')
  expect(steps.map(({ textContent }) => textContent?.replaceAll(/\s/gu, ' '))).toEqual([
    expect.stringMatching(/^Any operator61% get a code · in 40 s · 20 left.*9\.00/u),
    expect.stringMatching(/^altel61% get a code · in 40 s · 20 left.*9\.00/u),
    expect.stringMatching(/^beelinemost codes94% get a code · in 3 min · 20 left.*12\.50/u),
    expect.stringMatching(/^kcellnot measured yet · 20 left.*14\.00/u),
  ])
  await user.click(screen.getByRole('button', { name: /^beeline/u }))
  expect(chosen).toEqual(['beeline'])
  expect(screen.getByRole('button', { name: /^beeline/u }).getAttribute('aria-pressed')).toBe('true')
})

test('N-21: an operator that gave no codes comes last, however cheap', async () => {
  const empty: OperatorItem = { ...measured, id: 'late', name: 'late', price: '1.00', success_share: 0 }
  const { user } = await show(<Chooser operators={[ANY, empty, CHEAP, GOOD]} chosen={[]} />)
  await user.click(await screen.findByText('Compare 3 operators'))
  const steps = within(screen.getByRole('list', { name: /cheapest first/u })).getAllByRole('button')
  expect(steps.map(({ textContent }) => /^Any|^altel|^beeline|^late/u.exec(textContent ?? '')?.[0])).toEqual([
    'Any',
    'altel',
    'beeline',
    'late',
  ])
})

test('P-16.6: with one operator in stock there is nothing to compare', async () => {
  await show(<Chooser operators={[ANY, CHEAP, GONE]} chosen={[]} />)
  expect(screen.queryByText(/Compare/u)).toBeNull()
})
