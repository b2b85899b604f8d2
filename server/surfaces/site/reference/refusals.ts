import type { CallKey } from '#contract/calls/calls.ts'
import type { ErrorCode } from '#contract/errors.ts'

/** The errors that any call may get, whatever the call does. */
export const OF_EVERY_CALL: readonly ErrorCode[] = [
  'UNAUTHENTICATED',
  'FORBIDDEN',
  'BLOCKED',
  'INVALID_INPUT',
  'MALFORMED_BODY',
  'BODY_TOO_LARGE',
  'UNSUPPORTED_MEDIA_TYPE',
  'TOO_MANY_REQUESTS',
  'MAINTENANCE',
  'DATABASE_UNAVAILABLE',
  'SERVER_ERROR',
]

const ONCE: readonly ErrorCode[] = ['IDEMPOTENCY_CONFLICT', 'IN_PROGRESS']
const PAIR: readonly ErrorCode[] = ['BAD_SERVICE', 'BAD_COUNTRY']
const MONEY: readonly ErrorCode[] = ['NO_BALANCE', 'IN_DEBT', 'SPEND_LIMIT_REACHED']
const STOCK: readonly ErrorCode[] = ['NO_NUMBERS', 'PRICE_CHANGED', 'BUYING_STOPPED', 'SANDBOX_FULL']
const LIMITS: readonly ErrorCode[] = [...MONEY, 'TOO_MANY_OPEN_NUMBERS', 'PAIR_PAUSED']
const PURCHASE: readonly ErrorCode[] = [...STOCK, ...LIMITS, ...PAIR, 'BAD_OPERATOR']
const GIVE_BACK: readonly ErrorCode[] = [
  'EARLY_CANCEL_DENIED',
  'CODE_ALREADY_RECEIVED',
  'ACTIVATION_ENDED',
  'IN_PROGRESS',
]

/**
 * The errors of single calls, as their verbs document them, without those that only a session gets. NOT_FOUND of a
 * path's parameter and the errors of a repeat are added.
 */
const OF_CALL: Partial<Record<CallKey, readonly ErrorCode[]>> = {
  'POST /api/v1/activations': [...PURCHASE, 'MAX_PRICE_TOO_LOW'],
  'POST /api/v1/activations/bulk': [...PURCHASE, 'MAX_PRICE_TOO_LOW'],
  'POST /api/v1/activations/{id}/cancel': GIVE_BACK,
  'POST /api/v1/activations/{id}/used': GIVE_BACK,
  'POST /api/v1/activations/{id}/again': ['NO_CODE_YET', 'AGAIN_UNAVAILABLE', 'ACTIVATION_ENDED'],
  'POST /api/v1/activations/{id}/finish': ['NO_CODE_YET', 'ACTIVATION_ENDED'],
  'POST /api/v1/activations/{id}/open': ['NO_NOTICE', 'ACTIVATION_ENDED'],
  'POST /api/v1/activations/{id}/not-my-code': ['NO_CODE_YET', 'TOO_MANY_REPORTS', 'ACTIVATION_ENDED'],
  'POST /api/v1/activations/{id}/replace': [...PURCHASE, ...GIVE_BACK],
  'POST /api/v1/activations/{id}/repeat': [...STOCK, ...LIMITS, 'REPEAT_UNAVAILABLE'],
  'POST /api/v1/rentals': PURCHASE,
  'POST /api/v1/rentals/{id}/cancel': ['RENT_CANCEL_DENIED', 'ACTIVATION_ENDED', 'IN_PROGRESS'],
  'POST /api/v1/rentals/{id}/finish': ['NO_CODE_YET', 'ACTIVATION_ENDED', 'IN_PROGRESS'],
  'POST /api/v1/rentals/{id}/extend': [
    'EXTEND_UNAVAILABLE',
    'PRICE_CHANGED',
    'BUYING_STOPPED',
    ...MONEY,
    'ACTIVATION_ENDED',
  ],
  'POST /api/v1/preorders': [...PAIR, 'BAD_OPERATOR', 'PAIR_PAUSED', 'BUYING_STOPPED', 'TOO_MANY_PREORDERS', ...MONEY],
  'POST /api/v1/preorders/{id}/cancel': ['PREORDER_ENDED', 'IN_PROGRESS'],
  'POST /api/v1/payments': ['BAD_PAYMENT_SYSTEM', 'TOO_MANY_PAYMENTS', 'GATEWAY_UNAVAILABLE'],
  'POST /api/v1/payments/{transaction_id}/cancel': ['PAYMENT_ENDED'],
  'POST /api/v1/vouchers': ['BAD_VOUCHER', 'VOUCHER_SPENT', 'BAD_PAYMENT_SYSTEM'],
  'GET /api/v1/sandbox': ['NOT_FOUND'],
  'POST /api/v1/sandbox/top-up': ['NOT_FOUND'],
  'POST /api/v1/webhooks': ['TOO_MANY_WEBHOOKS'],
  'POST /api/v1/webhooks/{id}/test': ['WEBHOOK_OFF'],
  'POST /api/v1/webhooks/{id}/deliveries/{delivery}/replay': ['WEBHOOK_OFF'],
}

/** Returns the errors of one call, without those that every call may get. */
export function refusalsOf({ key, onceByKey }: { key: string; onceByKey?: boolean | undefined }): ErrorCode[] {
  // The cast is safe, because a lookup of another key finds nothing.
  const own = OF_CALL[key as CallKey] ?? []
  const found: readonly ErrorCode[] = key.includes('{') ? ['NOT_FOUND'] : []
  return [...new Set([...own, ...(onceByKey === true ? ONCE : []), ...found])]
}
