import { useQuery } from '@tanstack/react-query'
import type { LoyaltyReply } from '#contract/programmes/loyalty.ts'
import { MINUTE } from '#contract/time.ts'
import { useAppContext, useSession } from '#web/house/app-context.ts'
import { PAYMENTS_KEY } from '#web/live/apply-payment.ts'

/** Returns null when signed out. Payment events refetch the data, and polling detects a period's end. */
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
