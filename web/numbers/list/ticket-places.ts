import type { QueryClient } from '@tanstack/react-query'
import type { ActivationRecord } from '#contract/activation.ts'
import { applyRecordToCache } from '#web/live/apply-to-cache.ts'

/** Where a ticket stands in a list by age: as itself, or as the one whose place it took. */
export type Place = { id: number; created_at: string }

/** Tickets that took the place of another in this page, by their id: the place, and the one that is not shown any more. */
export type TicketPlaces = Readonly<Record<number, Place & { instead: number }>>

export const TICKET_PLACES_KEY = ['ticket-places']

export function placeOf(places: TicketPlaces, record: Place): Place {
  return places[record.id] ?? record
}

/** The ids whose place another ticket has taken. */
export function replacedIds(places: TicketPlaces): ReadonlySet<number> {
  return new Set(Object.values(places).map(({ instead }) => instead))
}

/** `fresh` after it took the place of `old`, which may itself stand in the place of an earlier one. */
export function withPlace(places: TicketPlaces, old: Place, fresh: Place): TicketPlaces {
  const { id, created_at } = placeOf(places, old)
  return { ...places, [fresh.id]: { id, created_at, instead: old.id } }
}

/** Shows the new number where the old one stood. The place is told first: then no rendering has it elsewhere. */
export function standIn(queryClient: QueryClient, old: ActivationRecord, fresh: ActivationRecord): void {
  const places = queryClient.getQueryData<TicketPlaces>(TICKET_PLACES_KEY) ?? {}
  queryClient.setQueryData<TicketPlaces>(TICKET_PLACES_KEY, withPlace(places, old, fresh))
  applyRecordToCache(queryClient, 'activation', { ...old, state: 'cancelled', final: true, money: 'released' })
  applyRecordToCache(queryClient, 'activation', fresh)
}
