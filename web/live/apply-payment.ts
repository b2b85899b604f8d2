import type { QueryClient } from '@tanstack/react-query'
import type { PaymentsReply } from '#contract/payment.ts'
import { inBackground } from '#web/in-background.ts'
import { askAgain } from '#web/session/ask-again.ts'
import type { LiveEvent } from './apply-event.ts'

/** Of every query about payments. */
export const PAYMENTS_KEY = 'payments'
export const OPEN_PAYMENTS_KEY = [PAYMENTS_KEY, 'open']

/** Money that came empties the open payments (specification 4), and all about them is asked anew. True for such an event. */
export function applyPaymentToCache(queryClient: QueryClient, { name }: LiveEvent): boolean {
  if (name !== 'BalanceTopup' && name !== 'PaymentChanged') return false
  if (name === 'BalanceTopup') {
    queryClient.setQueriesData<PaymentsReply>({ queryKey: OPEN_PAYMENTS_KEY }, (shown) =>
      shown === undefined ? undefined : { ...shown, active_payments: {} },
    )
  }
  inBackground(askAgain(queryClient, { queryKey: [PAYMENTS_KEY] }))
  return true
}
