import type { ActivationRecord } from '#contract/activation.ts'

/** Returns an activation as API calls and events contain it: waiting for a code, bought at noon of the first of May. */
export function activationRecord(change: Partial<ActivationRecord> = {}): ActivationRecord {
  return {
    id: 1,
    state: 'waiting',
    final: false,
    service: { id: 'tg', name: 'Telegram' },
    country: { id: 2, name: 'Kazakhstan', iso2: 'KZ', dial: '7' },
    operator: null,
    phone: '77051234567',
    price: '12.00',
    currency: 'rub',
    money: 'held',
    code: null,
    messages: [],
    created_at: '2026-05-01T12:00:00.000Z',
    expires_at: '2026-05-01T12:20:00.000Z',
    cancel_from: '2026-05-01T12:02:00.000Z',
    can_repeat: false,
    ...change,
  }
}
