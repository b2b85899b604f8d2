import type { QueryClient } from '@tanstack/react-query'
import type { LiveEvent } from '#contract/live-events.ts'
import type { PaymentsReply } from '#contract/payment.ts'
import { SECOND } from '#contract/time.ts'
import { askAgain } from '#web/session/ask-again.ts'

/** Of every query about payments. */
export const PAYMENTS_KEY = 'payments'
export const OPEN_PAYMENTS_KEY = [PAYMENTS_KEY, 'open']

/** An answer that takes longer does not keep the balance back. */
const MOST_MS = 2 * SECOND

/**
 * Money that came empties the open payments (specification 4), and all about them is asked anew. A page that shows payments
 * has its answer before the balance is told, so that both change in one step.
 */
export async function applyPaymentToCache(
  queryClient: QueryClient,
  { name }: LiveEvent,
  tellBalance: () => void,
): Promise<void> {
  if (name === 'BalanceTopup') {
    queryClient.setQueriesData<PaymentsReply>({ queryKey: OPEN_PAYMENTS_KEY }, (shown) =>
      shown === undefined ? undefined : { ...shown, active_payments: {} },
    )
  }
  if (queryClient.getQueryCache().findAll({ queryKey: [PAYMENTS_KEY], type: 'active' }).length > 0) {
    const late = new Promise((resolve) => setTimeout(resolve, MOST_MS))
    await Promise.race([askAgain(queryClient, { queryKey: [PAYMENTS_KEY] }), late])
  }
  tellBalance()
  // It carries the number of open payments, too.
  await askAgain(queryClient, { queryKey: ['user'] })
}
