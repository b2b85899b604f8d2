import { AppError, plain } from './errors.ts'

export const badPaymentSystem = plain('BAD_PAYMENT_SYSTEM')
export const gatewayUnavailable = plain('GATEWAY_UNAVAILABLE')
export const paymentEnded = plain('PAYMENT_ENDED')
export const badVoucher = plain('BAD_VOUCHER')
export const voucherSpent = plain('VOUCHER_SPENT')
export const withdrawalOpen = plain('WITHDRAWAL_OPEN')
export const withdrawalsClosed = plain('WITHDRAWALS_CLOSED')

export function tooManyPayments(limit: number): AppError {
  return new AppError('TOO_MANY_PAYMENTS', { values: { limit }, data: { limit } })
}
