import { toDecimal } from '#contract/money.ts'

/** Of the record of a number; without it nothing was given back. */
export function refundedRecord(micros: bigint | undefined): { refunded?: string } {
  return micros === undefined ? {} : { refunded: toDecimal(micros) }
}
