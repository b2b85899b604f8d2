import { useQueryClient } from '@tanstack/react-query'
import { refetch } from '#web/session/refetch.ts'
import { useSingleFlight } from '#web/session/use-single-flight.ts'

export const TICKET_KEY = 'staff-ticket'

/** Changes a ticket, one change at a time, then refetches, because even a refusal means that the ticket changed. */
export function useTicketCall(): { pending: boolean; change: (work: () => Promise<unknown>) => void } {
  const queryClient = useQueryClient()
  const { pending, once } = useSingleFlight()
  async function changeAndAsk(work: () => Promise<unknown>): Promise<void> {
    try {
      await work()
    } finally {
      await refetch(queryClient, { queryKey: [TICKET_KEY] })
    }
  }
  return { pending, change: (work) => once(() => changeAndAsk(work)) }
}
