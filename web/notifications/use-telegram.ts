import { useQuery } from '@tanstack/react-query'
import type { Telegram } from '#contract/telegram/chat.ts'
import { useApi, useAppContext, useSession } from '#web/house/app-context.ts'

const QUERY = ['telegram']
const LOOK_MS = 3_000

/** Loads the Telegram connection. Polls until `lookUntil` (epoch ms), because the person answers in Telegram. */
export function useTelegram({ lookUntil = 0 } = {}): Telegram | undefined {
  const api = useApi()
  const { signedIn } = useSession()
  const { data } = useQuery({
    queryKey: QUERY,
    queryFn: ({ signal }) => api('GET /api/v1/telegram', {}, { signal }),
    enabled: signedIn,
    refetchInterval: () => (Date.now() < lookUntil ? LOOK_MS : false),
  })
  return data
}

export function useShowTelegram(): (telegram: Telegram) => void {
  const { queryClient } = useAppContext()
  return (telegram) => queryClient.setQueryData(QUERY, telegram)
}
