import { useQueryClient } from '@tanstack/react-query'
import { askAgain } from '#web/session/ask-again.ts'
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
          await askAgain(queryClient, { queryKey: [SUPPLIER_KEY] })
        }
      }),
  }
}
