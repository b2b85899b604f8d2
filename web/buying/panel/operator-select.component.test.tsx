import { screen, within } from '@testing-library/react'
import { useState } from 'react'
import { expect, test } from 'vitest'
import type { OperatorItem } from '#contract/catalog.ts'
import { show } from '#test/components/show.tsx'
import { OperatorSelect } from './operator-select.tsx'

const measured = { price: '9.00', count: 1_377, success_share: 0.88, median_seconds: 7, p90_seconds: null }
const OPERATORS: OperatorItem[] = [
  { ...measured, id: 'any', name: 'any' },
  { ...measured, id: 'late', name: 'late', price: '1.00', success_share: 0 },
  { ...measured, id: 'altel', name: 'altel', price: '9.50' },
]

function Chooser() {
  const [id, setId] = useState('any')
  return <OperatorSelect number={3} operators={OPERATORS} currency="rub" selectedId={id} onSelect={setId} />
}

test('N-21: the chosen operator is short in its field, and its figures stand below', async () => {
  const { user } = await show(<Chooser />)
  const field = screen.getByRole('combobox', { name: 'Operator' })
  const options = () =>
    [...field.querySelectorAll('option')].map(({ textContent }) => textContent?.replaceAll(/\s/gu, ' '))
  expect(options()).toEqual([
    'Any operator — 9.00 ₽',
    'altel — 9.50 ₽ · 88% · 1,377 left',
    'late — 1.00 ₽ · 0% · 1,377 left',
  ])
  expect(field.closest('div')?.querySelector('p')?.textContent?.replaceAll(/\s/gu, ' ')).toBe('88% · 1,377 left')
  const without = within(field).getByRole('group', { name: 'No codes came' })
  expect(within(without).getAllByRole('option')).toHaveLength(1)
  await user.selectOptions(field, 'late')
  expect(field.closest('div')?.querySelector('p')?.textContent?.replaceAll(/\s/gu, ' ')).toBe('0% · 1,377 left')
})
