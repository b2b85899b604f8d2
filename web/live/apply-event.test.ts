import { expect, it } from 'vitest'
import type { ActivationRecord } from '#contract/activation.ts'
import type { NewUserNotification } from '#contract/live-events.ts'
import type { RentalRecord } from '#contract/rental.ts'
import { FIRST_SETTINGS } from '#contract/settings/user-settings.ts'
import type { User } from '#contract/user.ts'
import { activationRecord } from '#test/builders/activation-record.ts'
import { rentalRecord } from '#test/builders/rental-record.ts'
import { applyEvent, type LiveSnapshot } from '#web/live/apply-event.ts'
import type { LoadedNumbers, NumberRecord } from './numbers-cache.ts'

const message = {
  id: 9,
  sender: 'Telegram',
  text: 'code: 48213',
  code: '48213',
  received_at: '2026-05-01T12:01:00.000Z',
}
const received = activationRecord({ state: 'received', money: 'captured', code: '48213', messages: [message] })
const cancelled = activationRecord({ state: 'cancelled', money: 'released', final: true })

const user: User = {
  id: 5,
  email: 'a@b.test',
  name: 'A',
  role: 'user',
  balance: '100.00',
  held: '0.00',
  debt: '0.00',
  open_payments: 0,
  currency: 'rub',
  created_at: '2025-11-30T12:00:00.000Z',
  notifications_count: 2,
  activations: { count: 1, rent_count: 1 },
  settings: { ...FIRST_SETTINGS, locale: 'ru', copying_code: false, confirmation_actions: false, sound_new_sms: true },
}

function loaded<Item extends NumberRecord>(data: Item[]): LoadedNumbers<Item> {
  const numbers = { data, meta: { last_page: 1, total: data.length } }
  return {
    lists: [{ filter: {}, pages: [{ status: true, numbers, antifraud: [], total_count: data.length }] }],
    kept: [],
  }
}
function snapshot(activations: ActivationRecord[], rentals: RentalRecord[] = []): LiveSnapshot {
  return { user, loadedByKind: { activation: loaded(activations), rental: loaded(rentals) } }
}
function shown<Item extends NumberRecord>({ lists }: LoadedNumbers<Item>): Item[] {
  return lists.flatMap(({ pages }) => pages.flatMap(({ numbers }) => numbers.data))
}

it('puts the code of a number on its own kind, though another kind has the same id', () => {
  const before = snapshot([activationRecord()], [rentalRecord()])
  const code = applyEvent(before, { name: 'NewCode', payload: { kind: 'activation', record: received, message } })
  expect(shown(code.loadedByKind.activation)).toEqual([received])
  expect(code.loadedByKind.rental).toBe(before.loadedByKind.rental)
  const record = rentalRecord({ code: '48213', messages: [message], messages_count: 1, money: 'captured' })
  const rented = applyEvent(before, { name: 'NewCode', payload: { kind: 'rental', record, message } })
  expect(shown(rented.loadedByKind.rental)).toEqual([record])
  expect(rented.loadedByKind.activation).toBe(before.loadedByKind.activation)
})

it('sets the balance of a top-up, unless it is in another currency', () => {
  const before = snapshot([])
  const payload = { balance: '350.50', currency: 'rub' } as const
  expect(applyEvent(before, { name: 'BalanceTopup', payload }).user?.balance).toBe('350.50')
  expect(applyEvent(before, { name: 'BalanceTopup', payload: { ...payload, currency: 'usd' } }).user?.balance).toBe(
    '100.00',
  )
})

it('takes the counter that a notification brings', () => {
  const words = { title: 't', text: 't', link: null, created_at: message.received_at }
  const marks = { read: false, isSocket: true as const, notifications_count: 3 }
  const payload: NewUserNotification = { id: 1, category: 'news', kind: 'news', ...words, ...marks }
  expect(applyEvent(snapshot([]), { name: 'NewUserNotification', payload }).user?.notifications_count).toBe(3)
})

it('changes nothing here for a message of a support ticket, or when signed out', () => {
  const before = snapshot([activationRecord()])
  const payload = { id: 1, ticketId: 2, author: 'support', text: 't', created_at: message.received_at } as const
  expect(applyEvent(before, { name: 'NewMessage', payload })).toBe(before)
  const visitor = { ...before, user: null }
  expect(applyEvent(visitor, { name: 'BalanceTopup', payload: { balance: '1.00', currency: 'rub' } })).toBe(visitor)
})

it('takes a change without a message, with the balance and the counters it left', () => {
  const ended = applyEvent(snapshot([activationRecord()], [rentalRecord()]), {
    name: 'ActivationChanged',
    payload: { record: cancelled, balance: '112.00' },
  })
  expect(ended.loadedByKind.activation.kept).toEqual([cancelled])
  expect(ended.user).toMatchObject({ balance: '112.00', activations: { count: 0, rent_count: 1 } })
  const unmoved = applyEvent(snapshot([activationRecord()]), {
    name: 'ActivationChanged',
    payload: { record: activationRecord({ state: 'waiting_again' }), balance: null },
  })
  expect(unmoved.user?.balance).toBe('100.00')
  expect(shown(unmoved.loadedByKind.activation)[0]?.state).toBe('waiting_again')
})

it('does the same for rentals: rented, extended, near its end, over', () => {
  const rented = applyEvent(snapshot([activationRecord()], [rentalRecord()]), {
    name: 'RentalChanged',
    payload: { record: rentalRecord({ id: 2 }), balance: '20.00' },
  })
  expect(shown(rented.loadedByKind.rental).map(({ id }) => id)).toEqual([2, 1])
  expect(rented.user).toMatchObject({ balance: '20.00', activations: { count: 1, rent_count: 2 } })
  const extended = rentalRecord({ id: 2, hours: 48, price: '160.00', expired_date: '2026-05-03T12:00:00.000Z' })
  const after = applyEvent(rented, { name: 'RentalChanged', payload: { record: extended, balance: null } })
  const warned = applyEvent(after, {
    name: 'RentalChanged',
    payload: { record: { ...extended, expiring: true }, balance: null },
  })
  expect(shown(warned.loadedByKind.rental)[0]).toEqual({ ...extended, expiring: true })
  const over = { ...extended, state: 'expired' as const, final: true }
  const ended = applyEvent(warned, { name: 'RentalChanged', payload: { record: over, balance: null } })
  expect(shown(ended.loadedByKind.rental).map(({ id }) => id)).toEqual([1])
  expect(ended.loadedByKind.rental.kept).toEqual([over])
  expect(ended.user?.activations).toEqual({ count: 1, rent_count: 1 })
})
