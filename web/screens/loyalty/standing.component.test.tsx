import { expect, test } from 'vitest'
import type { LoyaltyReply } from '#contract/programmes/loyalty.ts'
import { show } from '#test/components/show.tsx'
import { PastRewards, Standing } from './standing.tsx'

const CURRENT: NonNullable<LoyaltyReply['current']> = {
  period: 'week',
  time_zone: 'Europe/Moscow',
  currency: 'rub',
  begins_at: '2026-02-22T21:00:00.000Z',
  ends_at: '2026-03-01T21:00:00.000Z',
  ranks: [
    { top_up: '1000.00', percent: '4' },
    { top_up: '4000.00', percent: '8.5' },
  ],
  topped_up: '2500.00',
  percent: '4',
  reward: '100.00',
  next: { top_up: '4000.00', percent: '8.5', missing: '1500.00', reward: '340.00' },
}
const textOf = (element: Element | null) => (element?.textContent ?? '').replaceAll('\u00a0', ' ')

test('1.12: the standing says in the time of the programme what counts, what comes back, what is missing, and when it is paid', async () => {
  const { container } = await show(<Standing current={CURRENT} />)
  expect(textOf(container)).toContain('23 February to 1 March')
  expect(textOf(container)).toContain('Paid to the balance on 2 March.')
  expect([...container.querySelectorAll('dd')].map(textOf)).toEqual([
    '2,500.00 ₽',
    '100.00 ₽',
    '4% of all top-ups',
    '1,500.00 ₽',
    '8.5% then, at least 340.00 ₽',
  ])
  expect(textOf(container.querySelector('[aria-current=step]'))).toBe('from 1,000 ₽4%you are here')
})

test('the line of ranks begins at its first dot', async () => {
  const { container } = await show(<Standing current={CURRENT} />)
  const ways = [...container.querySelectorAll('tbody tr')].map((row) => row.querySelectorAll('[data-way]').length)
  expect(ways).toEqual([0, 1])
})

test('in Russian a decimal has its comma; at the top there is nothing to reach', async () => {
  const top = { ...CURRENT, topped_up: '4000.00', percent: '8.5', reward: '340.00', next: null }
  const { container } = await show(<Standing current={top} />, { locale: 'ru' })
  expect(textOf(container)).toContain('8,5 % всех пополнений')
  expect(textOf(container)).toContain('выше ступеней нет')
})

test('a reward that was taken back whole says so', async () => {
  const reward = { ...CURRENT, topped_up: '0.00', percent: '0', reward: '0.00' }
  const { getByText } = await show(<PastRewards rewards={[reward]} currency="rub" />)
  getByText('taken back')
})
