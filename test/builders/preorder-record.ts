import type { PreorderRecord } from '#contract/preorder.ts'

/**
 * Returns a pre-order as API calls and events contain it: waiting, placed at noon of the first of May for six hours.
 */
export function preorderRecord(change: Partial<PreorderRecord> = {}): PreorderRecord {
  return {
    id: 1,
    state: 'waiting',
    final: false,
    service: { id: 'tg', name: 'Telegram' },
    country: { id: 2, name: 'Kazakhstan', iso2: 'KZ', dial: '7' },
    operator: null,
    max_price: '12.00',
    currency: 'rub',
    activation_id: null,
    created_at: '2026-05-01T12:00:00.000Z',
    deadline_at: '2026-05-01T18:00:00.000Z',
    ...change,
  }
}
