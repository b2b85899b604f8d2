import { expect, test } from 'vitest'
import type { ActivationRecord } from '#contract/activation.ts'
import type { HistoryItem } from '#contract/past/history.ts'
import type { RentalRecord } from '#contract/rental.ts'
import { applyEventToPages, type HistoryPages } from './past-events.ts'

const ITEM: HistoryItem = {
  id: 7,
  mode: 'activation',
  state: 'waiting',
  outcome: 'active',
  service: { id: 'tg', name: 'Телеграм' },
  country: { id: 2, name: 'Казахстан', iso2: 'KZ', dial: '7' },
  operator: 'altel',
  phone: '77051234567',
  price: '12.50',
  paid: '12.50',
  refunded: null,
  money: 'held',
  currency: 'rub',
  hours: null,
  code: null,
  messages_count: 0,
  can_repeat: false,
  created_at: '2026-03-05T10:00:00.000Z',
  ended_at: null,
}
const MESSAGE = {
  id: 1,
  sender: 'Telegram',
  text: 'Code 48213',
  code: '48213',
  received_at: '2026-03-05T10:00:09.000Z',
}
const RECORD: ActivationRecord = {
  id: 7,
  state: 'received',
  final: false,
  service: { id: 'tg', name: 'Telegram' },
  country: { id: 2, name: 'Kazakhstan', iso2: 'KZ', dial: '7' },
  operator: 'altel',
  phone: '77051234567',
  price: '12.50',
  currency: 'rub',
  money: 'captured',
  code: '48213',
  messages: [MESSAGE],
  created_at: '2026-03-05T10:00:00.000Z',
  expires_at: '2026-03-05T10:20:00.000Z',
  cancel_from: '2026-03-05T10:02:00.000Z',
  can_repeat: false,
}

const pagesOf = (...pages: HistoryItem[][]): HistoryPages => ({
  pages: pages.map((data) => ({ status: true, history: { data, meta: { next_cursor: null } } })),
  pageParams: pages.map(() => null),
})
const other = { ...ITEM, id: 8 }

test('a code shows on its purchase, wherever it stands, in the words of the page', () => {
  const before = pagesOf([other], [ITEM])
  const after = applyEventToPages(before, {
    name: 'NewCode',
    payload: { kind: 'activation', record: RECORD, message: MESSAGE },
  })
  expect(after.pages[0]?.history.data).toEqual([other])
  expect(after.pages[1]?.history.data).toEqual([
    { ...ITEM, money: 'captured', state: 'received', code: '48213', messages_count: 1 },
  ])
})

test('money that came back is said to have', () => {
  const record = { ...RECORD, state: 'cancelled' as const, money: 'released' as const, code: null, messages: [] }
  const after = applyEventToPages(pagesOf([ITEM]), {
    name: 'ActivationChanged',
    payload: { record, balance: '100.00' },
  })
  expect(after.pages[0]?.history.data[0]).toMatchObject({
    state: 'cancelled',
    outcome: 'returned',
    paid: '0.00',
    refunded: null,
    money: 'released',
  })
})

test('an extension makes a rental longer and dearer; an activation of the same id is another purchase', () => {
  const rental: HistoryItem = { ...ITEM, mode: 'rent', state: 'active', hours: 24 }
  const record: RentalRecord = {
    ...RECORD,
    state: 'active',
    price: '40.00',
    hours: 48,
    messages_count: 3,
    expired_date: RECORD.expires_at,
    cancel_until: null,
    expiring: false,
  }
  const after = applyEventToPages(pagesOf([rental, ITEM]), {
    name: 'RentalChanged',
    payload: { record, balance: null },
  })
  expect(after.pages[0]?.history.data).toEqual([
    { ...rental, hours: 48, price: '40.00', paid: '40.00', money: 'captured', code: '48213', messages_count: 3 },
    ITEM,
  ])
})

test('what is not shown changes nothing', () => {
  const before = pagesOf([other])
  const event = { name: 'ActivationChanged', payload: { record: RECORD, balance: null } } as const
  expect(applyEventToPages(before, event)).toBe(before)
  expect(applyEventToPages(before, { name: 'BalanceTopup', payload: { balance: '1.00', currency: 'rub' } })).toBe(
    before,
  )
})
