import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useApi } from '#web/house/app-context.ts'
import { recordKey } from '#web/live/apply-to-cache.ts'
import { keepNews } from '#web/live/keep-news.ts'
import type { NumberRecord } from '#web/live/numbers-cache.ts'
import type { NumberKind } from './number-kind.ts'

/** One number with all its messages. Live events change it, those that come while it loads, too. */
export function useRecord<Item extends NumberRecord>(kind: NumberKind<Item>, id: number) {
  const api = useApi()
  const queryClient = useQueryClient()
  // Registered before the query's own effect starts a request.
  useEffect(() => keepNews(queryClient), [queryClient])
  return useQuery({
    queryKey: recordKey(kind.name, id),
    queryFn: ({ signal }) => kind.loadOne(api, id, signal),
  })
}
