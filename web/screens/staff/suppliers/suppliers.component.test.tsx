import { screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { CallError } from '#contract/calls/calls.ts'
import type { ShownSupplier, SupplierReply } from '#contract/staff/supply.ts'
import { anna, MEMBER, NOW } from '#test/components/app-context.ts'
import { show } from '#test/components/show.tsx'
import { Supplier } from './supplier.tsx'
import { Suppliers } from './suppliers.tsx'

const OPERATOR = { ...MEMBER, user: { ...anna, role: 'operator' as const } }
const supplier: ShownSupplier = {
  code: 'range',
  kind: 'smpp',
  paused_since: null,
  link: null,
  aside: null,
  last_sms_at: NOW,
  stock: 12,
  balance: { amount: '1240.50', currency: 'rub', at: NOW },
  calls: { calls: 1_200, errors: 1, median_ms: 300, p95_ms: null },
  shares: [
    { window: '15m', purchases: 0, codes: 0, share: null, norm: null },
    { window: '1h', purchases: 20, codes: 4, share: 0.2, norm: 0.8 },
    { window: '24h', purchases: 4, codes: 1, share: 0.25, norm: null },
  ],
  open_numbers: 3,
  unmatched: 7,
  reused_ids: 2,
  alarms: [],
}
const reply: SupplierReply = {
  status: true,
  data: supplier,
  alarms_watched: true,
  calls: [],
  events: [],
  next: null,
  silent: { data: [], has_more: false },
}
const seedOf = (data: ShownSupplier[]) => ({ loadedAt: NOW, reply: { status: true as const, data } })

test('who needs somebody stands first, and each state is said with its reason', async () => {
  const aside = { since: NOW, reason: '5 purchases in a row failed: HTTP 502', try_at: NOW }
  const data: ShownSupplier[] = [
    { ...supplier, code: 'fine' },
    { ...supplier, code: 'resting', paused_since: NOW },
    { ...supplier, code: 'loud', alarms: [{ kind: 'stock-low', since: NOW, muted_until: NOW, muted_by: 'itself' }] },
    { ...supplier, code: 'down', link: { up: false, since: NOW } },
    { ...supplier, code: 'bad', aside },
  ]
  await show(<Suppliers seed={seedOf(data)} />, { session: OPERATOR })
  const rows = screen.getAllByRole('link').flatMap(({ textContent }) => textContent ?? [])
  expect(rows.filter((name) => data.some(({ code }) => code === name))).toEqual([
    'down',
    'bad',
    'loud',
    'resting',
    'fine',
  ])
  screen.getByText(/^Link down since/u)
  screen.getByText(/^Suspended since/u)
  screen.getByText(/^5 purchases in a row failed: HTTP 502/u)
  screen.getByText(/^Paused since/u)
  screen.getByText('1 alarm (muted)')
})

test('the figures say what was bought against the norm, how fast it answers, and what is left', async () => {
  await show(<Suppliers seed={seedOf([supplier])} />, { session: OPERATOR })
  const figureOf = (name: string) => screen.getByText(name).closest('div')?.textContent ?? ''
  expect(figureOf('Codes, 15 min')).toContain('no purchases')
  expect(figureOf('Codes, 1 h')).toMatch(/20%4 of 20, usually 80%/u)
  expect(figureOf('Codes, 24 h')).toMatch(/25%1 of 4, no usual rate yet/u)
  expect(figureOf('Calls, 24 h')).toContain('1,2001 error')
  expect(figureOf('95% response time')).toMatch(/over 8\ss/u)
  expect(figureOf('Unmatched, 24 h')).toContain('72 messages dropped: their ids were already used')
  expect(figureOf('Our balance')).toContain('1,240.50')
  expect(screen.getByText(/^20%$/u).className).toContain('text-error')
  expect(screen.getByText(/^25%$/u).className).not.toContain('text-error')
})

test('without a supplier it says how to add one, and a server that fails is told as such', async () => {
  const { unmount } = await show(<Suppliers seed={seedOf([])} />, { session: OPERATOR })
  screen.getByText('No suppliers yet')
  unmount()
  await show(<Suppliers seed={{ loadedAt: NOW, reply: null }} />, {
    session: OPERATOR,
    answers: {
      'GET /api/v1/staff/suppliers': () => {
        throw new CallError({ code: 'SERVER_ERROR', httpStatus: 500, message: 'no' })
      },
    },
  })
  await screen.findByText('This didn’t load')
})

test('a pause asks for its reason first; an alarm is muted for as long as is chosen; earlier events follow', async () => {
  const event = (id: number) => ({ id, at: NOW, kind: id % 2 === 0 ? 'link-up' : 'unheard-of', reason: `event ${id}` })
  const done = { status: true } as const
  const { user, sent } = await show(
    <Supplier seed={{ code: 'range', loadedAt: NOW, reply: { ...reply, events: [event(9), event(8)], next: 8 } }} />,
    {
      session: OPERATOR,
      answers: {
        'GET /api/v1/staff/suppliers/{code}': { ...reply, events: [event(7)], next: null },
        'POST /api/v1/staff/suppliers/{code}/pause': done,
        'POST /api/v1/staff/suppliers/{code}/mute': done,
      },
    },
  )
  const asked = (end: string) => sent.filter(({ key }) => key.endsWith(end)).map(({ input }) => input)
  await user.click(screen.getByRole('button', { name: 'Earlier events' }))
  await screen.findByText('event 7')
  screen.getByText('event 9')
  expect(screen.getAllByText('unheard-of')).toHaveLength(2)
  expect(screen.queryByRole('button', { name: 'Earlier events' })).toBeNull()
  await user.click(screen.getByRole('button', { name: 'Pause sales' }))
  await user.click(screen.getByRole('button', { name: 'Pause sales' }))
  expect(await screen.findAllByText('Enter a reason')).toHaveLength(2)
  expect(asked('/pause')).toEqual([])
  await user.type(screen.getByLabelText('Reason'), 'no codes')
  await user.click(screen.getByRole('button', { name: 'Pause sales' }))
  await waitFor(() => expect(asked('/pause')).toEqual([{ code: 'range', reason: 'no codes' }]))
  await screen.findByText('Sales from range are paused')
  await user.selectOptions(screen.getByLabelText('Duration'), '7 days')
  await user.click(screen.getByRole('button', { name: 'Mute “No link”' }))
  await waitFor(() => expect(asked('/mute')).toEqual([{ code: 'range', alarm: 'link-down', hours: 168 }]))
})

test('where nobody is told of alarms it says so, and calls none of them well', async () => {
  const unwatched = { ...reply, alarms_watched: false }
  await show(<Supplier seed={{ code: 'range', loadedAt: NOW, reply: unwatched }} />, { session: OPERATOR })
  screen.getByText(/^Nobody is notified of failures/u)
  expect(screen.queryByText('all clear')).toBeNull()
})
