import type { RentalRecord } from '#contract/rental.ts'

/** Returns a rental as API calls and events contain it: active, rented for a day at noon of the first of May. */
export function rentalRecord(change: Partial<RentalRecord> = {}): RentalRecord {
  return {
    id: 1,
    state: 'active',
    final: false,
    service: { id: 'full', name: 'Full rent' },
    country: { id: 2, name: 'Kazakhstan', iso2: 'KZ', dial: '7' },
    operator: null,
    phone: '77051234567',
    price: '80.00',
    currency: 'rub',
    hours: 24,
    money: 'held',
    code: null,
    messages: [],
    messages_count: 0,
    created_at: '2026-05-01T12:00:00.000Z',
    expired_date: '2026-05-02T12:00:00.000Z',
    cancel_until: '2026-05-01T12:20:00.000Z',
    expiring: false,
    ...change,
  }
}
