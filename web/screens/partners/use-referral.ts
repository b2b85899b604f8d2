import { type QueryClient, useQuery } from '@tanstack/react-query'
import type { Referral, SharesReply, WithdrawalsReply } from '#contract/programmes/referral.ts'
import { SECOND } from '#contract/time.ts'
import { useApi, useSession } from '#web/house/app-context.ts'
import { refetch } from '#web/session/refetch.ts'

export type ReferralSeed = { askedAt: string; referral: Referral; shares: SharesReply; withdrawals: WithdrawalsReply }

const KEY = 'referral'
const REFRESH_MS = 30 * SECOND

/** Refetches the data that a withdrawal, even a failed one, may have changed. */
export async function refreshReferral(queryClient: QueryClient): Promise<void> {
  await Promise.all([[KEY], ['user']].map((queryKey) => refetch(queryClient, { queryKey })))
}

function useOptions() {
  const { signedIn } = useSession()
  return { enabled: signedIn, gcTime: 0, refetchInterval: REFRESH_MS }
}

export function useReferral({ askedAt, referral }: ReferralSeed): Referral {
  const api = useApi()
  const query = useQuery({
    ...useOptions(),
    queryKey: [KEY, askedAt],
    queryFn: async ({ signal }) => (await api('GET /api/v1/referral', {}, { signal })).data,
    initialData: referral,
  })
  return query.data
}

/** Returns a page of the user's referral earnings. The previous page is shown until the wanted page has loaded. */
export function useShares({ askedAt, shares }: ReferralSeed, page: number): SharesReply {
  const api = useApi()
  const query = useQuery({
    ...useOptions(),
    queryKey: [KEY, 'shares', askedAt, page],
    queryFn: ({ signal }) => api('GET /api/v1/referral/shares', { page }, { signal }),
    placeholderData: (before) => before,
    ...(page === 1 && { initialData: shares }),
  })
  return query.data ?? shares
}

export function useWithdrawals(
  { askedAt, withdrawals }: ReferralSeed,
  { page, search }: { page: number; search: string },
): WithdrawalsReply {
  const api = useApi()
  const isFirst = page === 1 && search === ''
  const query = useQuery({
    ...useOptions(),
    queryKey: [KEY, 'withdrawals', askedAt, page, search],
    queryFn: ({ signal }) =>
      api('GET /api/referral/history-withdrawals', { page, ...(search !== '' && { search }) }, { signal }),
    placeholderData: (before) => before,
    ...(isFirst && { initialData: withdrawals }),
  })
  return query.data ?? withdrawals
}
