import { expect, it } from 'vitest'
import type { ActivationRecord, ActiveNumbers } from '#contract/activation.ts'
import type { ActiveNumbersFilter } from '#contract/buying-calls.ts'
import type { User } from '#contract/user.ts'
import { activationRecord } from '#test/activation-record.ts'
import { applyEvent, applyRecord, type LiveSnapshot, matchesFilter } from '#web/live/apply-event.ts'

function record(change: Partial<ActivationRecord> = {}): ActivationRecord {
  return activationRecord({ operator: 'altel', ...change })
}

const message = {
  id: 9,
  sender: 'Telegram',
  text: 'code: 48213',
  code: '48213',
  received_at: '2026-05-01T12:01:00.000Z',
}
const received = record({ state: 'received', money: 'captured', code: '48213', messages: [message] })
const cancelled = record({ state: 'cancelled', money: 'released', final: true })

const user: User = {
  id: 5,
  email: 'a@b.test',
  name: 'A',
  role: 'user',
  balance: '100.00',
  held: '0.00',
  currency: 'rub',
  notifications_count: 2,
  activations: { count: 1, rent_count: 0 },
  settings: { copying_code: false, confirmation_actions: false, sound_new_sms: true },
}

function page(data: ActivationRecord[], total = data.length): ActiveNumbers {
  return { status: true, numbers: { data, meta: { last_page: 1, total } }, antifraud: [], total_count: total }
}
function snapshot(
  pages: ActiveNumbers[],
  change: { filter?: ActiveNumbersFilter; kept?: ActivationRecord[] } = {},
): LiveSnapshot {
  return { user, lists: [{ filter: change.filter ?? {}, pages }], kept: change.kept ?? [] }
}
function shownIds({ lists }: LiveSnapshot): number[][] {
  return lists.flatMap(({ pages }) => pages.map(({ numbers }) => numbers.data.map(({ id }) => id)))
}

it('replaces a record in every list that shows it and counts nothing twice', () => {
  const before = snapshot([page([record({ id: 2 }), record()])])
  const both = { ...before, lists: [...before.lists, { filter: { services_ids: ['tg'] }, pages: [page([record()])] }] }
  const after = applyEvent(both, { name: 'NewCode', payload: { kind: 'activation', record: received, message } })
  expect(shownIds(after)).toEqual([[2, 1], [1]])
  expect(after.lists.map(({ pages }) => pages[0]?.numbers.data.at(-1)?.code)).toEqual(['48213', '48213'])
  expect(after.lists[0]?.pages[0]?.total_count).toBe(2)
  expect(after.user?.activations.count).toBe(2)
})

it('puts an unknown record first and counts it, on every page of the list', () => {
  const after = applyRecord(snapshot([page([record({ id: 2 })])]), record())
  expect(shownIds(after)).toEqual([[1, 2]])
  expect(after.lists[0]?.pages[0]).toMatchObject({ total_count: 2, numbers: { meta: { total: 2 } } })
  expect(after.user?.activations.count).toBe(2)
})

it('does not count a record that may stand on a page not loaded yet', () => {
  const after = applyRecord(snapshot([page([record({ id: 2 })], 30)]), record())
  expect(shownIds(after)).toEqual([[1, 2]])
  expect(after.lists[0]?.pages[0]).toMatchObject({ total_count: 30, numbers: { meta: { total: 30 } } })
})

it('leaves a filtered list alone that the record does not match', () => {
  const after = applyRecord(snapshot([page([])], { filter: { services_ids: ['wa'] } }), record())
  expect(shownIds(after)).toEqual([[]])
  expect(after.user?.activations.count).toBe(1)
})

it('keeps an ended record in view, out of the lists and the counters', () => {
  const after = applyRecord(snapshot([page([record({ id: 2 }), record()])]), cancelled)
  expect(shownIds(after)).toEqual([[2]])
  expect(after.kept).toEqual([cancelled])
  expect(after.lists[0]?.pages[0]).toMatchObject({ total_count: 1, numbers: { meta: { total: 1 } } })
  expect(after.user?.activations.count).toBe(1)
})

it('ignores a version older than the one shown', () => {
  const ended = snapshot([page([])], { kept: [cancelled] })
  expect(applyRecord(ended, record())).toBe(ended)
  const withCode = snapshot([page([received])])
  expect(applyRecord(withCode, record({ state: 'waiting' }))).toBe(withCode)
})

it('sets the balance of a top-up, unless it is in another currency', () => {
  const before = snapshot([])
  const payload = { balance: '350.50', currency: 'rub' } as const
  expect(applyEvent(before, { name: 'BalanceTopup', payload }).user?.balance).toBe('350.50')
  expect(applyEvent(before, { name: 'BalanceTopup', payload: { ...payload, currency: 'usd' } }).user?.balance).toBe(
    '100.00',
  )
})

it('grows the counter of notifications', () => {
  const payload = {
    id: 1,
    category: 'system',
    title: 't',
    text: 't',
    created_at: message.received_at,
    isSocket: true,
  } as const
  expect(applyEvent(snapshot([]), { name: 'NewUserNotification', payload }).user?.notifications_count).toBe(3)
})

it('changes nothing here for a message of a support ticket, for a rental, or when signed out', () => {
  const before = snapshot([page([record()])])
  const payload = { id: 1, ticketId: 2, author: 'support', text: 't', created_at: message.received_at } as const
  expect(applyEvent(before, { name: 'NewMessage', payload })).toBe(before)
  const visitor = { ...before, user: null }
  expect(applyEvent(visitor, { name: 'BalanceTopup', payload: { balance: '1.00', currency: 'rub' } })).toBe(visitor)
})

it.each<[ActiveNumbersFilter, boolean]>([
  [{}, true],
  [{ search: '  ' }, true],
  [{ search: '+7 705 123' }, true],
  [{ search: '999' }, false],
  [{ search: 'teleg' }, true],
  [{ search: 'KAZAKH' }, true],
  [{ search: 'whats' }, false],
  [{ services_ids: ['wa', 'tg'] }, true],
  [{ services_ids: ['wa'] }, false],
  [{ countries_ids: [2] }, true],
  [{ countries_ids: [0], services_ids: ['tg'] }, false],
])('matches %j: %s', (filter, matches) => {
  expect(matchesFilter(record(), filter)).toBe(matches)
})

it('takes a change without a message, with the balance it left', () => {
  const payload = { record: cancelled, balance: '112.00' }
  const after = applyEvent(snapshot([page([record()])]), { name: 'ActivationChanged', payload })
  expect(after.kept).toEqual([cancelled])
  expect(after.user).toMatchObject({ balance: '112.00', activations: { count: 0 } })
  const unmoved = applyEvent(snapshot([page([record()])]), {
    name: 'ActivationChanged',
    payload: { record: record({ state: 'waiting_again' }), balance: null },
  })
  expect(unmoved.user?.balance).toBe('100.00')
  expect(unmoved.lists[0]?.pages[0]?.numbers.data[0]?.state).toBe('waiting_again')
})

it('keeps the names in the language of the page when an event brings others, and takes those of a reply', () => {
  const inRussian = {
    ...received,
    service: { id: 'tg', name: 'Телеграм' },
    country: { ...received.country, name: 'Казахстан' },
  }
  const before = snapshot([page([record()])])
  const live = applyEvent(before, { name: 'NewCode', payload: { kind: 'activation', record: inRussian, message } })
  expect(live.lists[0]?.pages[0]?.numbers.data[0]).toEqual(received)
  const replied = applyRecord(before, inRussian)
  expect(replied.lists[0]?.pages[0]?.numbers.data[0]).toEqual(inRussian)
})
