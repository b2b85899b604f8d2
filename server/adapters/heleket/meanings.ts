import type { PaymentFacts } from '#server/core/gateways/gateway.ts'
import type { HeleketInvoice } from './api.ts'
import type { Arrived } from './reported-coins.ts'

/** The state of a refund. Undefined means that no refund exists. */
export type Refund = 'under-way' | 'done' | 'failed' | undefined
/** `mayVanish` means that no block contains the payment yet, so the payer can replace it. */
type Meaning = { progress: PaymentFacts['progress']; arrived: Arrived; refund?: Refund; mayVanish?: true }

/**
 * The meanings of Heleket's statuses. Coins are credited only at a final status, because a short payment may grow and
 * locked money may be lost.
 */
export const MEANINGS: Partial<Record<string, Meaning>> = {
  check: { progress: 'pending', arrived: 'nothing' },
  process: { progress: 'confirming', arrived: 'nothing', mayVanish: true },
  confirm_check: { progress: 'confirming', arrived: 'nothing', mayVanish: true },
  wrong_amount_waiting: { progress: 'confirming', arrived: 'nothing' },
  locked: { progress: 'confirming', arrived: 'nothing' },
  paid: { progress: 'pending', arrived: 'whole' },
  paid_over: { progress: 'pending', arrived: 'more' },
  wrong_amount: { progress: 'expired', arrived: 'less' },
  cancel: { progress: 'expired', arrived: 'late' },
  fail: { progress: 'failed', arrived: 'nothing' },
  system_fail: { progress: 'failed', arrived: 'nothing' },
  refund_process: { progress: 'pending', arrived: 'before-refund', refund: 'under-way' },
  refund_paid: { progress: 'pending', arrived: 'before-refund', refund: 'done' },
  refund_fail: { progress: 'pending', arrived: 'before-refund', refund: 'failed' },
}

export function meaningOf({ status }: HeleketInvoice): Meaning {
  const meaning = MEANINGS[status]
  if (meaning === undefined) throw new Error(`Heleket has a status that is not known here: ${status}`)
  return meaning
}
