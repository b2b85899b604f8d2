import { screen } from '@testing-library/react'
import { useState } from 'react'
import { expect, test } from 'vitest'
import { MEMBER } from '#test/components/app-context.ts'
import { show } from '#test/components/show.tsx'
import { usePurchaseChips } from './filter-chips.ts'
import type { DaysChoice } from './past-days.ts'
import { PastToolbar } from './past-toolbar.tsx'
import type { PurchaseChoice } from './purchase-choice.ts'
import { PurchaseFilters } from './purchase-filters.tsx'

const measured = { price: null, count: 0, success_share: null, median_seconds: null }
const services = [{ ...measured, id: 'tg', name: 'Telegram', is_favorite: false }]
const countries = [{ ...measured, id: 2, name: 'Kazakhstan', iso2: 'KZ', dial: '7', is_favorite: false }]
const NOTHING: PurchaseChoice = { mode: null, services: [], countries: [] }
const CHOSEN: PurchaseChoice = { mode: 'rent', services: ['tg'], countries: [2] }
const PICKED: DaysChoice = { kind: 'picked', from: '2026-03-01', to: '2026-03-05' }

function Toolbar({ first, firstDays }: { first: PurchaseChoice; firstDays: DaysChoice }) {
  const [choice, setChoice] = useState(first)
  const [days, setDays] = useState(firstDays)
  const chips = usePurchaseChips(choice, setChoice)
  const clear = () => {
    setChoice(NOTHING)
    setDays({ kind: 'period', period: '30' })
  }
  return (
    <PastToolbar
      days={{ choice: days, offered: ['7', '30'], fallback: '30', onChoose: setDays }}
      chips={chips}
      onClear={clear}
    >
      <PurchaseFilters choice={choice} onChoose={setChoice} />
    </PastToolbar>
  )
}

const showToolbar = (first: PurchaseChoice, firstDays: DaysChoice) =>
  show(<Toolbar first={first} firstDays={firstDays} />, {
    session: MEMBER,
    answers: {
      'GET /api/services': { status: true, count: 1, favorites: 0, services },
      'GET /api/countries': { status: true, count: 1, favorites: 0, countries },
    },
  })
const chips = () => screen.queryAllByRole('button', { name: /^Remove filter/u }).map(({ textContent }) => textContent)

test('chips say which filters are set, and a press removes one', async () => {
  const { user } = await showToolbar(CHOSEN, PICKED)
  await screen.findByRole('button', { name: 'Remove filter: Telegram' })
  await screen.findByRole('button', { name: 'Remove filter: Kazakhstan' })
  expect(chips()).toEqual(['Mar 1, 2026 – Mar 5, 2026', 'Rentals', 'Telegram', 'Kazakhstan'])
  screen.getByRole('button', { name: 'Filters: 4', expanded: false })
  await user.click(screen.getByRole('button', { name: 'Remove filter: Rentals' }))
  await user.click(screen.getByRole('button', { name: /^Remove filter: Mar 1/u }))
  expect(chips()).toEqual(['Telegram', 'Kazakhstan'])
  expect(screen.getByRole('button', { name: '30 days' }).getAttribute('aria-pressed')).toBe('true')
  await user.click(screen.getByRole('button', { name: 'Clear' }))
  expect(chips()).toEqual([])
})

test('the filters stand behind one button, and without a filter there is nothing to clear', async () => {
  const { user } = await showToolbar(NOTHING, { kind: 'period', period: '7' })
  expect(screen.queryByRole('button', { name: 'Clear' })).toBeNull()
  const button = screen.getByRole('button', { name: 'Filters' })
  const panel = document.getElementById(button.getAttribute('aria-controls') ?? '')
  expect(panel?.classList.contains('hidden')).toBe(true)
  await user.click(button)
  expect(panel?.classList.contains('hidden')).toBe(false)
  await user.selectOptions(screen.getByRole('combobox', { name: 'Type' }), 'Rentals')
  expect(chips()).toEqual(['Rentals'])
})
