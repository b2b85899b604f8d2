import { screen, within } from '@testing-library/react'
import { useState } from 'react'
import { expect, test, vi } from 'vitest'
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

const words = (row: HTMLElement) => row.closest('label')?.textContent?.replaceAll(/\s/gu, ' ')

test('P-16.6: each operator is a row with price, share, time and stock, and the best share is named', async () => {
  const chosen: string[] = []
  const { user } = await show(<Chooser operators={[ANY, CHEAP, GOOD, NEW, GONE]} chosen={chosen} />)
  const ladder = within(await screen.findByRole('radiogroup', { name: /cheapest first/u }))
  expect(ladder.getAllByRole('radio').map(words)).toEqual([
    expect.stringMatching(/^Any \(cheapest\)code in 40 s · 20 left61%9\.00/u),
    expect.stringMatching(/^altelcode in 40 s · 20 left61%9\.00/u),
    expect.stringMatching(/^beelinecode in 3 min · 20 left94%, most reliable12\.50/u),
    expect.stringMatching(/^kcell20 leftno data14\.00/u),
  ])
  await user.click(ladder.getByRole('radio', { name: /^beeline/u }))
  expect(ladder.getByRole<HTMLInputElement>('radio', { name: /^beeline/u }).checked).toBe(true)
  expect(chosen).toEqual(['beeline'])
})

test('the arrow keys reach each operator of the ladder', async () => {
  // The window of the tests lacks CSS.escape, by which the user of the tests finds a group of radio buttons.
  vi.stubGlobal('CSS', { escape: (text: string) => text.replaceAll(/[^\w-]/g, '\\$&') })
  const chosen: string[] = []
  const { user } = await show(<Chooser operators={[ANY, CHEAP, GOOD, NEW]} chosen={chosen} />)
  await screen.findByRole('radiogroup')
  await user.tab()
  await user.keyboard('{ArrowDown}{ArrowDown}{ArrowDown}')
  expect(chosen).toEqual(['altel', 'beeline', 'kcell'])
})

test('N-21: an operator that gave no codes is below a fold, however cheap, unless it is the chosen one', async () => {
  const empty: OperatorItem = { ...measured, id: 'late', name: 'late', price: '1.00', success_share: 0 }
  const { user } = await show(<Chooser operators={[ANY, empty, CHEAP, GOOD]} chosen={[]} />)
  const fold = (await screen.findByText('1 operator received no codes')).closest('details')
  expect([...document.querySelectorAll('input')].map(({ value }) => value)).toEqual(['any', 'altel', 'beeline', 'late'])
  expect(fold?.open).toBe(false)
  expect(fold?.contains(screen.getByDisplayValue('late'))).toBe(true)
  await user.click(screen.getByText('1 operator received no codes'))
  await user.click(screen.getByRole('radio', { name: /^late/u }))
  expect(fold?.open).toBe(true)
})
