import type { InfiniteData, QueryClient } from '@tanstack/react-query'
import type { ActivationRecord, ActivationReply, ActiveNumbers } from '#contract/activation.ts'
import type { ActiveNumbersFilter } from '#contract/buying-calls.ts'
import type { User } from '#contract/user.ts'
import { applyEvent, applyRecord, findRecord, type LiveEvent, type LiveSnapshot } from './apply-event.ts'

export type ActiveNumbersPages = InfiniteData<ActiveNumbers, number>

/** Ended tickets that stay in view: they live only in this page, no call brings them. */
export const KEPT_TICKETS_KEY = ['kept-tickets']

export function activeNumbersKey(filter: ActiveNumbersFilter): [string, ActiveNumbersFilter] {
  return ['active-numbers', filter]
}

export function activationKey(id: number): [string, number] {
  return ['activation', id]
}

/**
 * A live event changes every cache that shows what it is about. A number that no list knew yet (bought in another tab or by
 * a program) is shown at once and then asked for, because events name services and countries in one language only.
 */
export function applyEventToCache(queryClient: QueryClient, event: LiveEvent): void {
  const record = activationOf(event)
  const isNew = record !== null && findRecord(readSnapshot(queryClient).before, record.id) === undefined
  change(queryClient, (snapshot) => applyEvent(snapshot, event))
  if (record !== null) updateOpenDialog(queryClient, record)
  if (isNew) void queryClient.invalidateQueries({ queryKey: ['active-numbers'] })
}

function activationOf(event: LiveEvent): ActivationRecord | null {
  if (event.name === 'ActivationChanged') return event.payload.record
  return event.name === 'NewCode' && event.payload.kind === 'activation' ? event.payload.record : null
}

/** The reply of a purchase or of a ticket's action does the same. */
export function applyRecordToCache(queryClient: QueryClient, record: ActivationRecord): void {
  change(queryClient, (snapshot) => applyRecord(snapshot, record))
  updateOpenDialog(queryClient, record)
}

/** Takes an ended ticket out of view. */
export function dismissTicket(queryClient: QueryClient, id: number): void {
  queryClient.setQueryData<ActivationRecord[]>(KEPT_TICKETS_KEY, (kept) => kept?.filter((record) => record.id !== id))
}

function readSnapshot(queryClient: QueryClient) {
  const cached = queryClient.getQueriesData<ActiveNumbersPages>({ queryKey: ['active-numbers'] })
  const loaded = cached.flatMap(([key, data]) => (data === undefined ? [] : [{ key, data, filter: filterOf(key) }]))
  const before: LiveSnapshot = {
    user: queryClient.getQueryData<User>(['user']) ?? null,
    lists: loaded.map(({ data, filter }) => ({ filter, pages: data.pages })),
    kept: queryClient.getQueryData<ActivationRecord[]>(KEPT_TICKETS_KEY) ?? [],
  }
  return { loaded, before }
}

function change(queryClient: QueryClient, apply: (snapshot: LiveSnapshot) => LiveSnapshot): void {
  const { loaded, before } = readSnapshot(queryClient)
  const after = apply(before)
  if (after === before) return
  if (after.user !== before.user) queryClient.setQueryData(['user'], after.user)
  if (after.kept !== before.kept) queryClient.setQueryData(KEPT_TICKETS_KEY, after.kept)
  for (const [index, { key, data }] of loaded.entries()) {
    const pages = after.lists[index]?.pages
    if (pages !== undefined && pages !== data.pages)
      queryClient.setQueryData<ActiveNumbersPages>(key, { ...data, pages })
  }
}

function updateOpenDialog(queryClient: QueryClient, record: ActivationRecord): void {
  queryClient.setQueryData<ActivationReply>(activationKey(record.id), (shown) => shown && { ...shown, data: record })
}

function filterOf(key: readonly unknown[]): ActiveNumbersFilter {
  // Keys are made by activeNumbersKey alone.
  return (key[1] ?? {}) as ActiveNumbersFilter
}
