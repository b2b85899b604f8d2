/** What a payer is told. Part of the catalogue: see errors.ts. */
import { wordsOf } from './error-words.ts'
import { AppError, plain } from './errors.ts'

export const badPaymentSystem = plain('BAD_PAYMENT_SYSTEM', 422)
export const gatewayUnavailable = plain('GATEWAY_UNAVAILABLE', 502)
export const paymentEnded = plain('PAYMENT_ENDED', 409)
export const badVoucher = plain('BAD_VOUCHER', 422)
export const voucherSpent = plain('VOUCHER_SPENT', 409)
export const withdrawalOpen = plain('WITHDRAWAL_OPEN', 409)
export const withdrawalsClosed = plain('WITHDRAWALS_CLOSED', 409)

export function tooManyPayments(limit: number): AppError {
  return new AppError({
    code: 'TOO_MANY_PAYMENTS',
    httpStatus: 409,
    words: wordsOf('TOO_MANY_PAYMENTS', { limit }),
    data: { limit },
  })
}
