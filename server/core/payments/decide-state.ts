import type { PaymentState } from '#contract/payment.ts'
import type { PaymentFacts } from '#server/core/gateways/gateway.ts'

/** The allowed transitions. A late payment is still credited, so `expired` and `failed` are not final. */
const NEXT: Record<PaymentState, readonly PaymentState[]> = {
  created: ['pending', 'confirming', 'paid', 'partial', 'expired', 'failed', 'refunded', 'disputed'],
  pending: ['confirming', 'paid', 'partial', 'expired', 'failed', 'refunded', 'disputed'],
  confirming: ['pending', 'paid', 'partial', 'expired', 'failed', 'refunded', 'disputed'],
  expired: ['confirming', 'paid', 'partial', 'refunded', 'disputed'],
  failed: ['confirming', 'paid', 'partial', 'refunded', 'disputed'],
  partial: ['paid', 'refunded', 'disputed'],
  paid: ['refunded', 'disputed'],
  refunded: ['paid', 'partial', 'disputed'],
  disputed: ['paid', 'partial', 'refunded'],
}

/** Returns the new state of a payment, computed from its amounts. `disputedMicros` sums open and lost disputes. */
export function decideState(known: {
  state: PaymentState
  amountMicros: bigint
  arrivedMicros: bigint
  refundedMicros: bigint
  disputedMicros: bigint
  progress: PaymentFacts['progress']
  isOver: boolean
}): PaymentState {
  const wanted = wantedState(known)
  return wanted === known.state || NEXT[known.state].includes(wanted) ? wanted : known.state
}

function wantedState(known: Parameters<typeof decideState>[0]): PaymentState {
  const { amountMicros, arrivedMicros, refundedMicros, disputedMicros, progress, isOver } = known
  if (arrivedMicros === 0n) return progress === 'pending' && isOver ? 'expired' : progress
  if (disputedMicros > 0n) return 'disputed'
  if (refundedMicros >= arrivedMicros) return 'refunded'
  return arrivedMicros >= amountMicros ? 'paid' : 'partial'
}
