import type { PaymentRecord, PaymentState } from '#contract/payment.ts'

/** One that its payer closed has a word of its own. */
export function paymentWord({ state, closed }: Pick<PaymentRecord, 'state' | 'closed'>): PaymentState | 'closed' {
  return closed ? 'closed' : state
}
