import { fireEvent, screen } from '@testing-library/react'
import { useState } from 'react'
import { expect, test } from 'vitest'
import { show } from '#test/components/show.tsx'
import { DateFields, PeriodSegments } from './day-filter.tsx'
import type { DaysChoice } from './past-days.ts'

async function showDays(first: DaysChoice = { kind: 'picked', from: '2025-03-01', to: '2025-03-10' }) {
  const choices: DaysChoice[] = []
  function Days() {
    const [choice, setChoice] = useState(first)
    const days = {
      choice,
      offered: ['7', '30'] as const,
      fallback: '30' as const,
      onChoose: (next: DaysChoice) => {
        choices.push(next)
        setChoice(next)
      },
    }
    return (
      <>
        <PeriodSegments {...days} />
        <DateFields {...days} />
      </>
    )
  }
  const pick = (label: string, value: string) => fireEvent.change(screen.getByLabelText(label), { target: { value } })
  return { ...(await show(<Days />)), choices, pick }
}

test('an end that is moved past the other takes it along', async () => {
  const { choices, pick } = await showDays()
  pick('Start date', '2025-03-20')
  pick('End date', '2025-03-05')
  expect(choices).toEqual([
    { kind: 'picked', from: '2025-03-20', to: '2025-03-20' },
    { kind: 'picked', from: '2025-03-05', to: '2025-03-05' },
  ])
})

test('a year that is being typed is not picked, and stays in the field', async () => {
  const { choices, pick } = await showDays()
  pick('Start date', '0202-03-01')
  expect(choices).toEqual([])
  expect(screen.getByLabelText('Start date')).toHaveProperty('value', '0202-03-01')
})

test('one emptied date is an open end; both emptied are the usual period', async () => {
  const { choices, pick } = await showDays()
  pick('Start date', '')
  pick('End date', '')
  expect(choices).toEqual([
    { kind: 'picked', from: null, to: '2025-03-10' },
    { kind: 'period', period: '30' },
  ])
  screen.getByRole('button', { name: '30 days', pressed: true })
})
