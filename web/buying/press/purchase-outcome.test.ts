import { expect, it } from 'vitest'
import { CallError } from '#contract/calls/calls.ts'
import { missingAmount, outcomeOfFailure, type PurchaseOutcome } from './purchase-outcome.ts'

const shown = { price: '12.00', balance: '7.50', currency: 'rub' } as const
function failure(httpStatus: number, code: string, data: Record<string, unknown> = {}): CallError {
  return new CallError({ httpStatus, code, message: 'words', data })
}

it.each<[string, unknown, PurchaseOutcome]>([
  [
    'a new price',
    failure(409, 'PRICE_CHANGED', { price: '13.00' }),
    { kind: 'price-changed', price: '13.00', before: '12.00' },
  ],
  ['a new price that is not told', failure(409, 'PRICE_CHANGED'), { kind: 'failed' }],
  ['out of stock', failure(409, 'NO_NUMBERS'), { kind: 'no-numbers' }],
  [
    'no money',
    failure(409, 'NO_BALANCE', { price: '12.00', missing: '4.50' }),
    { kind: 'no-balance', missing: '4.50', currency: 'rub' },
  ],
  ['no money, not told how much', failure(409, 'NO_BALANCE'), { kind: 'no-balance', missing: '4.50', currency: 'rub' }],
  ['no reply', failure(0, 'NO_REPLY'), { kind: 'unknown' }],
  ['the first press still being served', failure(409, 'IN_PROGRESS'), { kind: 'unknown' }],
  ['a broken server', failure(500, 'SERVER_ERROR'), { kind: 'unknown' }],
  ['buying stopped, which began nothing', failure(503, 'BUYING_STOPPED'), { kind: 'failed' }],
  ['a database that may have done it', failure(503, 'DATABASE_UNAVAILABLE'), { kind: 'unknown' }],
  [
    'a pause of the pair',
    failure(409, 'PAIR_PAUSED', { until: '2026-05-01T13:00:00.000Z' }),
    { kind: 'paused', until: '2026-05-01T13:00:00.000Z' },
  ],
  ['too many open', failure(409, 'TOO_MANY_OPEN_NUMBERS', { limit: 30 }), { kind: 'too-many-open', limit: 30 }],
  [
    'the spend limit',
    failure(409, 'SPEND_LIMIT_REACHED', { limit: '500.00', spent: '495.00' }),
    { kind: 'spend-limit', limit: '500.00' },
  ],
  ['an own ceiling', failure(422, 'MAX_PRICE_TOO_LOW', { lowest: '12.00' }), { kind: 'above-max', lowest: '12.00' }],
  ['a limit that is not told', failure(409, 'TOO_MANY_OPEN_NUMBERS'), { kind: 'failed' }],
  ['a fault of the page', new TypeError('x'), { kind: 'failed' }],
])('%s', (_name, error, outcome) => {
  expect(outcomeOfFailure(error, shown)).toEqual(outcome)
})

it('E-5: a press that no network carried is told so; an answer that came is told as it is', () => {
  const offline = { ...shown, online: false }
  expect(outcomeOfFailure(failure(0, 'NO_REPLY'), offline)).toEqual({ kind: 'offline' })
  expect(outcomeOfFailure(failure(500, 'SERVER_ERROR'), offline)).toEqual({ kind: 'unknown' })
  expect(outcomeOfFailure(failure(409, 'NO_NUMBERS'), offline)).toEqual({ kind: 'no-numbers' })
})

it.each([
  ['12.00', '7.50', '4.50'],
  ['12.00', '12.00', '0.00'],
  ['0.0067', '0.006', '0.0007'],
  ['12.00', null, '12.00'],
])('of %s with %s on the balance, %s is missing', (price, balance, missing) => {
  expect(missingAmount(price, balance)).toBe(missing)
})
