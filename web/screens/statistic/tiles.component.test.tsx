import { expect, test } from 'vitest'
import type { StatisticsReply, StatisticsSum } from '#contract/past/history.ts'
import { show } from '#test/components/show.tsx'
import { Tiles } from './tiles.tsx'

const sum = (purchases: number, spent: string, share: number | null, seconds: number | null): StatisticsSum => ({
  purchases,
  activations: purchases,
  codes: Math.round(purchases * (share ?? 0)),
  spent,
  success_share: share,
  median_seconds: seconds,
  p90_seconds: null,
})
const days = (count: number) =>
  Array.from({ length: count }, (_, place) => ({ day: `2026-03-0${place + 1}`, ...sum(1, '1.00', null, null) }))
const data = (now: StatisticsSum, before: StatisticsSum, count = 7): StatisticsReply['data'] => ({
  currency: 'rub',
  from: '2026-03-01',
  to: '2026-03-07',
  total: now,
  days: days(count),
  hours: null,
  before: { from: '2026-02-22', to: '2026-02-28', total: before, days: [], hours: null },
  services: [],
  countries: [],
  counted_until: null,
})
const changes = (container: HTMLElement) =>
  [...container.querySelectorAll('[data-change]')].map(({ textContent }) => textContent)

test('each figure says how it differs from as many days before', async () => {
  const now = sum(112, '300.00', 0.82, 8)
  const { container } = await show(<Tiles data={data(now, sum(100, '400.00', 0.79, 10))} />)
  expect(changes(container)).toEqual([
    '+12% vs the previous 7 days',
    '−25% vs the previous 7 days',
    '+3 pts vs the previous 7 days',
    '2 s faster than before',
  ])
})

test('one day is compared with the day before, and without purchases then nothing is said', async () => {
  const now = sum(10, '10.00', null, null)
  const { container, unmount } = await show(<Tiles data={data(now, sum(10, '10.00', null, null), 1)} />)
  expect(changes(container)).toEqual(['0% vs the previous day', '0% vs the previous day'])
  unmount()
  const other = await show(<Tiles data={data(now, sum(0, '0.00', null, null))} />)
  expect(changes(other.container)).toEqual([])
})
