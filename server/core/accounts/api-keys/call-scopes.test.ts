import { expect, test } from 'vitest'
import { calls } from '#server/programs/app.ts'

/** Every account call that API keys may make. A new call must be added to this list or declare the scope `session`. */
const OPEN_TO_KEYS = {
  read: [
    'GET /api/payments',
    'GET /api/payments-history',
    'GET /api/referral/history-withdrawals',
    'GET /api/user',
    'GET /api/user/active-numbers',
    'GET /api/user/active-rent-numbers',
    'GET /api/user/latest-purchases',
    'GET /api/user/latest-rent-purchases',
    'GET /api/v1/activations/{id}',
    'GET /api/v1/entries',
    'GET /api/v1/history',
    'GET /api/v1/history.csv',
    'GET /api/v1/history/totals',
    'GET /api/v1/loyalty',
    'GET /api/v1/movements',
    'GET /api/v1/movements.csv',
    'GET /api/v1/payments/{transaction_id}',
    'GET /api/v1/preorders',
    'GET /api/v1/preorders/last-sale',
    'GET /api/v1/referral',
    'GET /api/v1/referral/shares',
    'GET /api/v1/rentals/{id}',
    'GET /api/v1/rentals/{id}/extensions',
    'GET /api/v1/sandbox',
    'GET /api/v1/statement',
    'GET /api/v1/statement.csv',
    'GET /api/v1/statistics',
    'GET /api/v1/webhooks',
    'GET /api/v1/webhooks/{id}/deliveries',
  ],
  buy: [
    'DELETE /api/v1/webhooks/{id}',
    'PATCH /api/v1/webhooks/{id}',
    'POST /api/v1/activations',
    'POST /api/v1/activations/bulk',
    'POST /api/v1/activations/{id}/again',
    'POST /api/v1/activations/{id}/cancel',
    'POST /api/v1/activations/{id}/finish',
    'POST /api/v1/activations/{id}/not-my-code',
    'POST /api/v1/activations/{id}/open',
    'POST /api/v1/activations/{id}/repeat',
    'POST /api/v1/activations/{id}/replace',
    'POST /api/v1/activations/{id}/used',
    'POST /api/v1/preorders',
    'POST /api/v1/preorders/{id}/cancel',
    'POST /api/v1/rentals',
    'POST /api/v1/rentals/{id}/cancel',
    'POST /api/v1/rentals/{id}/extend',
    'POST /api/v1/rentals/{id}/finish',
    'POST /api/v1/sandbox/top-up',
    'POST /api/v1/webhooks',
    'POST /api/v1/webhooks/{id}/deliveries/{delivery}/replay',
    'POST /api/v1/webhooks/{id}/rotate',
    'POST /api/v1/webhooks/{id}/test',
  ],
  money: [
    'POST /api/v1/payments',
    'POST /api/v1/payments/{transaction_id}/cancel',
    'POST /api/v1/referral/withdrawals',
    'POST /api/v1/vouchers',
  ],
}

/** The calls that sandbox keys may not make, because they concern real money, real people or waiting for an offer. */
const CLOSED_TO_SANDBOX = [
  'GET /api/payments',
  'GET /api/payments-history',
  'GET /api/referral/history-withdrawals',
  'GET /api/v1/loyalty',
  'GET /api/v1/payments/{transaction_id}',
  'GET /api/v1/preorders',
  'GET /api/v1/preorders/last-sale',
  'GET /api/v1/referral',
  'GET /api/v1/referral/shares',
  'POST /api/v1/payments',
  'POST /api/v1/payments/{transaction_id}/cancel',
  'POST /api/v1/preorders',
  'POST /api/v1/preorders/{id}/cancel',
  'POST /api/v1/referral/withdrawals',
  'POST /api/v1/vouchers',
]

const scoped = (scope: string) => calls.filter((call) => call.scope === scope).map(({ key }) => key)

test('every call of an account names its scope, and keys may make exactly these', () => {
  const unnamed = calls.filter(({ auth, scope }) => auth === 'required' && scope === undefined)
  expect(unnamed.map(({ key }) => key)).toEqual([])
  for (const [scope, open] of Object.entries(OPEN_TO_KEYS)) expect(scoped(scope).toSorted()).toEqual(open)
})

test('keys with play money may make these calls alone, besides those that need no account', () => {
  const open = calls.filter(({ sandbox }) => sandbox === true).map(({ key }) => key)
  const closed = Object.values(OPEN_TO_KEYS)
    .flat()
    .filter((key) => !open.includes(key))
  expect(closed.toSorted()).toEqual(CLOSED_TO_SANDBOX)
  expect(open.filter((key) => !Object.values(OPEN_TO_KEYS).flat().includes(key))).toEqual([])
})
