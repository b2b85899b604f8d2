import { toDecimal } from '#contract/money.ts'

/** The field `refunded` of a number's record is absent when nothing was refunded. */
export function refundedRecord(micros: bigint | undefined): { refunded?: string } {
  return micros === undefined ? {} : { refunded: toDecimal(micros) }
}
