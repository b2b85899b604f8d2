import { useQueryClient } from '@tanstack/react-query'
import { refetch } from '#web/session/refetch.ts'
import { useSingleFlight } from '#web/session/use-single-flight.ts'
import { SUPPLIER_KEY } from './suppliers-key.ts'

export function useSupplierChange(): { pending: boolean; change: (work: () => Promise<unknown>) => void } {
  const queryClient = useQueryClient()
  const { pending, once } = useSingleFlight()
  return {
    pending,
    change: (work) =>
      once(async () => {
        try {
          await work()
        } finally {
          await refetch(queryClient, { queryKey: [SUPPLIER_KEY] })
        }
      }),
  }
}
