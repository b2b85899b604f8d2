import type { QueryClient } from '@tanstack/react-query'
import type { ActivationRecord } from '#contract/activation.ts'
import { applyRecordToCache } from '#web/live/apply-to-cache.ts'

/** The sort position of a ticket: its own, or that of the ticket it replaced. */
export type Place = { id: number; created_at: string }

/** The replacement tickets of this page by id. `instead` is the id of the replaced ticket, which is hidden. */
export type TicketPlaces = Readonly<Record<number, Place & { instead: number }>>

export const TICKET_PLACES_KEY = ['ticket-places']

export function placeOf(places: TicketPlaces, record: Place): Place {
  return places[record.id] ?? record
}

export function replacedIds(places: TicketPlaces): ReadonlySet<number> {
  return new Set(Object.values(places).map(({ instead }) => instead))
}

/**
 * Stores that the ticket `fresh` replaces `old` and takes its position. If `old` is itself a replacement, that is the
 * position of the first ticket.
 */
export function withPlace(places: TicketPlaces, old: Place, fresh: Place): TicketPlaces {
  const { id, created_at } = placeOf(places, old)
  return { ...places, [fresh.id]: { id, created_at, instead: old.id } }
}

/** Replaces a ticket. Its position is stored first, so that no rendering shows the new ticket in another place. */
export function standIn(queryClient: QueryClient, old: ActivationRecord, fresh: ActivationRecord): void {
  const places = queryClient.getQueryData<TicketPlaces>(TICKET_PLACES_KEY) ?? {}
  queryClient.setQueryData<TicketPlaces>(TICKET_PLACES_KEY, withPlace(places, old, fresh))
  applyRecordToCache(queryClient, 'activation', { ...old, state: 'cancelled', final: true, money: 'released' })
  applyRecordToCache(queryClient, 'activation', fresh)
}
