import type { QueryClient } from '@tanstack/react-query'
import type { LiveEvent } from '#contract/live-events.ts'
import type { PaymentsReply } from '#contract/payment.ts'
import { SECOND } from '#contract/time.ts'
import { refetch } from '#web/session/refetch.ts'

export const PAYMENTS_KEY = 'payments'
export const OPEN_PAYMENTS_KEY = [PAYMENTS_KEY, 'open']

/** After this time the page shows the new balance without a payments reply. */
const MOST_MS = 2 * SECOND

/**
 * Applies a live event about a payment to the cached queries. A top-up clears the list of open payments (specification
 * 4). All payment queries are refetched. On a page that shows payments, the balance changes only after the refetch, so
 * that both change in one step.
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
    await Promise.race([refetch(queryClient, { queryKey: [PAYMENTS_KEY] }), late])
  }
  tellBalance()
  // The user record counts the open payments, too.
  await refetch(queryClient, { queryKey: ['user'] })
}
