import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useApi } from '#web/house/app-context.ts'
import { recordKey } from '#web/live/apply-to-cache.ts'
import { mergeArrivals } from '#web/live/merge-arrivals.ts'
import type { NumberRecord } from '#web/live/numbers-cache.ts'
import type { NumberKind } from './number-kind.ts'

export function useRecord<Item extends NumberRecord>(kind: NumberKind<Item>, id: number) {
  const api = useApi()
  const queryClient = useQueryClient()
  // mergeArrivals must subscribe before the query below starts its request.
  useEffect(() => mergeArrivals(queryClient), [queryClient])
  return useQuery({
    queryKey: recordKey(kind.name, id),
    queryFn: ({ signal }) => kind.loadOne(api, id, signal),
  })
}
