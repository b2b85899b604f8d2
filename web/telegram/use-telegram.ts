import { useQuery } from '@tanstack/react-query'
import type { Telegram } from '#contract/telegram.ts'
import { useApi, useAppContext, useSession } from '#web/app-context.ts'

const QUERY = ['telegram']
/** While a link is open: its chat answers outside this page. */
const LOOK_MS = 3_000

/** undefined while it loads. */
export function useTelegram({ looking = false } = {}): Telegram | undefined {
  const api = useApi()
  const { signedIn } = useSession()
  const { data } = useQuery({
    queryKey: QUERY,
    queryFn: ({ signal }) => api('GET /api/v1/telegram', {}, { signal }),
    enabled: signedIn,
    refetchInterval: looking ? LOOK_MS : false,
  })
  return data
}

export function useShowTelegram(): (telegram: Telegram) => void {
  const { queryClient } = useAppContext()
  return (telegram) => queryClient.setQueryData(QUERY, telegram)
}
