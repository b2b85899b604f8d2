import { screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { STATUS_COMPONENTS, type StatusReply } from '#contract/status/status.ts'
import { show } from '#test/components/show.tsx'
import { Page } from './page.tsx'

const DAY = { day: '2026-03-01', working: 1000, slow: 0, partly: 0, down: 0 }

function statusOf(changes: Partial<StatusReply> = {}): StatusReply {
  const components = STATUS_COMPONENTS.map((id) => ({
    id,
    state: 'working' as const,
    value: 1,
    usual: null,
    sample: null,
    available: 0.99987,
    days: [{ ...DAY, day: '2026-02-27', working: 900, partly: 12, down: 4 }, DAY],
  }))
  const empty = { services: [], countries: [], links: [], incidents: [] }
  return {
    status: true,
    measured_at: '2026-03-01T12:04:00.000Z',
    old: false,
    state: 'working',
    components,
    ...empty,
    ...changes,
  }
}

const drawn = async (status: StatusReply, locale: 'ru' | 'en' = 'en') => {
  const { container } = await show(<Page />, { locale, data: { status, askedAt: '', locale } })
  return { container, head: screen.getByRole('heading', { level: 1 }).textContent }
}

test('all that works is told in one sentence, with ninety days of each part and the days with trouble in words', async () => {
  const { container, head } = await drawn(statusOf())
  expect(head).toBe('Everything is working')
  expect(container.querySelectorAll('.status-days')).toHaveLength(STATUS_COMPONENTS.length)
  const bars = [...(container.querySelector('.status-days')?.children ?? [])]
  expect(bars).toHaveLength(90)
  expect(bars.at(-1)?.getAttribute('title')).toBe('Mar 1, 2026: no problems')
  expect(bars.at(-3)?.getAttribute('data-state')).toBe('down')
  expect(bars.at(0)?.getAttribute('title')).toContain('no data')
  expect(screen.getAllByText('99.98% uptime')).toHaveLength(STATUS_COMPONENTS.length)
  expect(screen.getAllByText('down for 4 min, interrupted for 12 min')).toHaveLength(STATUS_COMPONENTS.length)
})

test('days that were only slow are no days with problems, because their uptime is whole', async () => {
  const base = statusOf()
  const slow = [{ day: '2026-02-27', working: 1_400, slow: 40, partly: 0, down: 0 }]
  const components = base.components.map((one) => ({ ...one, available: 1, days: slow }))
  await drawn({ ...base, components })
  expect(screen.getAllByText('100% uptime')).toHaveLength(STATUS_COMPONENTS.length)
  expect(screen.getAllByText('1 day worse than usual')).toHaveLength(STATUS_COMPONENTS.length)
  expect(screen.queryByText(/problems$/)).toBeNull()
})

test('the head names the worst part, and else the worst service', async () => {
  const base = statusOf()
  const worse = base.components.map((one) => {
    if (one.id === 'mails') return { ...one, state: 'slow' as const }
    return one.id === 'links' ? { ...one, state: 'partly' as const } : one
  })
  expect((await drawn({ ...base, components: worse }, 'ru')).head).toBe('Часть каналов связи не работает')
})

test('a service in trouble is named if the parts work; its share stands beside the usual one', async () => {
  const service = { id: 'tg', name: 'Telegram', state: 'slow' as const, share: 0.7, usual: 0.94, sample: 1_000 }
  const { head } = await drawn(statusOf({ services: [service] }))
  expect(head).toBe('Fewer Telegram codes are arriving than usual')
  expect(screen.getByText('usually 94%')).toBeTruthy()
  expect(screen.getByText('1,000+ purchases')).toBeTruthy()
})

test('old figures are marked as old, an incident under way stands above what is over', async () => {
  const incident = (id: number, closed: string | null) => ({
    id,
    components: ['codes' as const],
    opened_at: '2026-03-01T11:00:00.000Z',
    closed_at: closed,
    notes: [{ at: '2026-03-01T11:00:00.000Z', text: `Incident ${id}` }],
  })
  const incidents = [incident(2, null), incident(1, '2026-03-01T11:30:00.000Z')]
  const { head } = await drawn(statusOf({ old: true, incidents }))
  expect(head).toBe('We can’t tell what’s working right now')
  expect(screen.getByText('Last measured')).toBeTruthy()
  expect(screen.getAllByRole('heading', { level: 3 }).map(({ textContent }) => textContent)[0]).toBe('Incident 2')
  expect(screen.getAllByText('Ongoing')).toHaveLength(2)
  expect(screen.getByText('Resolved')).toBeTruthy()
})
