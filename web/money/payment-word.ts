import type { PaymentRecord, PaymentState } from '#contract/payment.ts'

export type PaymentWord = PaymentState | 'closed' | 'lost' | 'won'

/** Returns the text key of a payment's state, which may be `closed`, or after a dispute `lost` (by us) or `won`. */
export function paymentWord({
  state,
  closed = false,
  dispute,
}: Pick<PaymentRecord, 'state' | 'dispute'> & Partial<Pick<PaymentRecord, 'closed'>>): PaymentWord {
  if (closed) return 'closed'
  if (state === 'disputed' && dispute === 'lost') return 'lost'
  return state === 'paid' && dispute === 'won' ? 'won' : state
}

export const STATE_LOOKS: Partial<Record<PaymentWord, string>> = {
  paid: 'text-received',
  won: 'text-received',
  partial: 'text-soon',
  disputed: 'text-error',
  failed: 'text-error',
}
