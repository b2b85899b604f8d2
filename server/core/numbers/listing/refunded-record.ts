import { toDecimal } from '#contract/money.ts'

export function refundedRecord(micros: bigint | undefined): { refunded?: string } {
  return micros === undefined ? {} : { refunded: toDecimal(micros) }
}
