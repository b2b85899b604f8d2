import { useQuery } from '@tanstack/react-query'
import type { LoyaltyReply } from '#contract/programmes/loyalty.ts'
import { MINUTE } from '#contract/time.ts'
import { useAppContext, useSession } from '#web/house/app-context.ts'
import { PAYMENTS_KEY } from '#web/live/apply-payment.ts'

/**
 * Returns the loyalty data; null when signed out. Every payment event refetches it, and polling detects the end of a
 * period.
 */
export function useLoyalty({ askedAt, standing }: { askedAt: string; standing: LoyaltyReply | null }) {
  const { api } = useAppContext()
  const { status } = useSession()
  const query = useQuery({
    queryKey: [PAYMENTS_KEY, 'loyalty', askedAt],
    queryFn: ({ signal }) => api('GET /api/v1/loyalty', {}, { signal }),
    enabled: status === 'authenticated',
    initialData: standing ?? undefined,
    refetchInterval: MINUTE,
    gcTime: 0,
  })
  return status === 'authenticated' ? (query.data ?? null) : null
}
