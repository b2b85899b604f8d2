import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useAppContext } from '#web/house/app-context.ts'
import { inBackground } from '#web/house/in-background.ts'
import { useLiveEvent } from '#web/live/use-live-event.ts'
import { refetch } from '#web/session/refetch.ts'

/** Refetches the query `name` after a reconnect and after changes of any ticket, or only of `ticketId` if given. */
export function useStaffNews(name: string, ticketId?: number): void {
  const queryClient = useQueryClient()
  const { live } = useAppContext()
  useLiveEvent((event) => {
    if (event.name !== 'StaffTicketChanged') return
    if (ticketId === undefined || event.payload.ticketId === ticketId) {
      inBackground(refetch(queryClient, { queryKey: [name] }))
    }
  })
  useEffect(
    () =>
      live.state.subscribe(() => {
        if (live.state.get() === 'connected') inBackground(refetch(queryClient, { queryKey: [name] }))
      }),
    [live, name, queryClient],
  )
}
