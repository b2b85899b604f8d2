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
  expect(textOf(container)).toContain('We’ll add it to your balance on 2 March.')
  expect([...container.querySelectorAll('dd')].map(textOf)).toEqual([
    '2,500.00 ₽',
    '100.00 ₽',
    '4% of all top-ups',
    '1,500.00 ₽',
    'At the next rank, you get 8.5%, at least 340.00 ₽',
  ])
  expect(textOf(container.querySelector('[aria-current=step]'))).toBe('1,000 ₽ or more4%you are here')
})

const strip = (container: HTMLElement) =>
  [...container.querySelectorAll<HTMLElement>('.rank-piece')].map(
    (piece) => `${piece.dataset.state} ${piece.querySelector<HTMLElement>('.rank-fill')?.style.width}`,
  )

test('the way to the next rank is drawn, and words say what is missing to it', async () => {
  const { container } = await show(<Standing current={CURRENT} />)
  expect(strip(container)).toEqual(['here 100%', 'ahead 50%'])
  expect(textOf(container)).toContain('Top up 1,500 ₽ more to get back 8.5% instead of 4%.')
})

test('below the first rank and at the top the way has words of its own', async () => {
  const none = { ...CURRENT, topped_up: '250.00', percent: '0', reward: '0.00' }
  const next = { top_up: '1000.00', percent: '4', missing: '750.00', reward: '40.00' }
  const { container, unmount } = await show(<Standing current={{ ...none, next }} />)
  expect(strip(container)).toEqual(['ahead 25%', 'ahead 0%'])
  expect(textOf(container)).toContain('Top up 750 ₽ more to get back 4% of your top-ups.')
  unmount()
  const top = await show(<Standing current={{ ...CURRENT, topped_up: '4000.00', percent: '8.5', next: null }} />)
  expect(strip(top.container)).toEqual(['reached 100%', 'here 100%'])
  expect(textOf(top.container)).toContain('You’ve reached the highest rank and get back 8.5%.')
})

test('in Russian a decimal has its comma; at the top there is nothing to reach', async () => {
  const top = { ...CURRENT, topped_up: '4000.00', percent: '8.5', reward: '340.00', next: null }
  const { container } = await show(<Standing current={top} />, { locale: 'ru' })
  expect(textOf(container)).toContain('8,5 % от всех пополнений')
  expect(textOf(container)).toContain('это высший уровень')
})

test('a reward that was taken back whole says so', async () => {
  const reward = { ...CURRENT, topped_up: '0.00', percent: '0', reward: '0.00' }
  const { getByText } = await show(<PastRewards rewards={[reward]} currency="rub" />)
  getByText('taken back')
})
