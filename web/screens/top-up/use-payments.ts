import { type QueryClient, useIsFetching, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { PaymentRecord, PaymentsHistory, PaymentsReply } from '#contract/payment.ts'
import { SECOND } from '#contract/time.ts'
import { useAppContext, useSession } from '#web/house/app-context.ts'
import { useStore } from '#web/house/stores/store.ts'
import { OPEN_PAYMENTS_KEY, PAYMENTS_KEY } from '#web/live/apply-payment.ts'
import { refetch } from '#web/session/refetch.ts'

/** Polling finds changes whose live events were missed, and replaces live events as long as the socket is down. */
const REFRESH_MS = 30 * SECOND
const OFFLINE_REFRESH_MS = 5 * SECOND
const LATEST = 5

export type PaymentsSeed = { askedAt: string; payments: PaymentsReply; latest: PaymentsHistory }

function useRefresh() {
  const { live } = useAppContext()
  const { status } = useSession()
  const connected = useStore(live.state) === 'connected'
  // Polling replaces a missing socket in the background too, because the payer looks at the bank's page.
  const refetchIntervalInBackground = !connected
  return {
    enabled: status === 'authenticated',
    gcTime: 0,
    refetchIntervalInBackground,
    refetchInterval: connected ? REFRESH_MS : OFFLINE_REFRESH_MS,
  }
}

/** Refetches the data that a payment call, even a failed one, may have changed. The balance comes last. */
export async function refreshPayments(queryClient: QueryClient): Promise<void> {
  for (const queryKey of [[PAYMENTS_KEY], ['user']]) await refetch(queryClient, { queryKey })
}

export const LATEST_INPUT = { per_page: LATEST }

/** Returns the payments. An ended payment moves from the open to the latest payments in one step. */
export function usePayments(seed: PaymentsSeed): { payments: PaymentsReply; latest: PaymentRecord[] } {
  const payments = useOpen(seed)
  const latest = useLatest(seed)
  const isAsked =
    useIsFetching({ queryKey: [PAYMENTS_KEY], predicate: ({ state }) => state.fetchFailureCount === 0 }) > 0
  const [shown, setShown] = useState({ payments, latest })
  // A top-up event clears the open payments before the refetch is done, so the old data stays on the page until then.
  if (!isAsked && (shown.payments !== payments || shown.latest !== latest)) setShown({ payments, latest })
  return { payments: shown.payments, latest: shown.latest.history.data }
}

function useOpen({ askedAt, payments }: PaymentsSeed): PaymentsReply {
  const { api, live } = useAppContext()
  const query = useQuery({
    ...useRefresh(),
    ...live.staleness(askedAt),
    queryKey: [...OPEN_PAYMENTS_KEY, askedAt],
    queryFn: ({ signal }) => api('GET /api/payments', {}, { signal }),
    initialData: payments,
  })
  return query.data
}

function useLatest({ askedAt, latest }: PaymentsSeed): PaymentsHistory {
  const { api, live } = useAppContext()
  const query = useQuery({
    ...useRefresh(),
    ...live.staleness(askedAt),
    queryKey: [PAYMENTS_KEY, 'latest', askedAt],
    queryFn: ({ signal }) => api('GET /api/payments-history', LATEST_INPUT, { signal }),
    initialData: latest,
  })
  return query.data
}

/** Returns the payment that the user began or for which the user returned from the bank. */
export function usePayment(transactionId: string | null): PaymentRecord | null {
  const { api } = useAppContext()
  const refresh = useRefresh()
  const query = useQuery({
    ...refresh,
    queryKey: [PAYMENTS_KEY, 'one', transactionId],
    queryFn: ({ signal }) =>
      api('GET /api/v1/payments/{transaction_id}', { transaction_id: transactionId ?? '' }, { signal }),
    enabled: refresh.enabled && transactionId !== null,
  })
  return query.data?.data ?? null
}
