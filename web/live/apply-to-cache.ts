import type { InfiniteData, QueryClient } from '@tanstack/react-query'
import type { MessageRecord } from '#contract/activation.ts'
import type { LiveEvent } from '#contract/live-events.ts'
import type { User } from '#contract/user.ts'
import { inBackground } from '#web/house/in-background.ts'
import { refetch } from '#web/session/refetch.ts'
import { applyEvent, applyRecord, type LiveSnapshot } from './apply-event.ts'
import { applyNotificationToCache, NOTIFICATIONS_KEY } from './apply-notification.ts'
import { applyPaymentToCache, PAYMENTS_KEY } from './apply-payment.ts'
import { applyPreorderToCache, PREORDERS_KEY } from './apply-preorder.ts'
import { noteRecord, recordsAfter } from './newest-records.ts'
import {
  activeCount,
  findRecord,
  type LoadedNumbers,
  type NumberKindName,
  type NumberRecord,
  type NumberRecords,
  type NumbersFilter,
  type NumbersPage,
  putRecord,
} from './numbers-cache.ts'
import { SUPPORT_KEY } from './support-key.ts'

export type NumbersPages<Item extends NumberRecord> = InfiniteData<NumbersPage<Item>, number>

export const LIST_KEYS: Record<NumberKindName, string> = { activation: 'active-numbers', rental: 'rent-numbers' }

/** The first parts of all query keys that live events change. Their queries are refetched after a reconnect. */
export const LIVE_KEYS = [
  'user',
  ...Object.values(LIST_KEYS),
  'activation',
  'rental',
  ...PREORDERS_KEY,
  PAYMENTS_KEY,
  SUPPORT_KEY,
  NOTIFICATIONS_KEY,
]

export function listKey(kind: NumberKindName, filter: NumbersFilter): [string, NumbersFilter] {
  return [LIST_KEYS[kind], filter]
}

/**
 * Returns the query key of ended numbers whose tickets stay in view. Only the cache has this list; no API call returns
 * it.
 */
export function keptKey(kind: NumberKindName): [string, NumberKindName] {
  return ['kept-tickets', kind]
}

export function recordKey(kind: NumberKindName, id: number): [NumberKindName, number] {
  return [kind, id]
}

/** Updates the cache by a live event. A number that no list contains is shown at once, and its list is refetched. */
export function applyEventToCache(queryClient: QueryClient, event: LiveEvent): void {
  if (event.name === 'BalanceTopup' || event.name === 'PaymentChanged') {
    const { user } = readSnapshot(queryClient)
    const tellBalance = () => {
      const now = readSnapshot(queryClient)
      // A balance that changed in the meantime is newer than the balance of this event.
      if (now.user?.balance === user?.balance) write(queryClient, now, applyEvent(now, event))
    }
    inBackground(applyPaymentToCache(queryClient, event, tellBalance))
    return
  }
  const told = recordOf(event)
  const before = readSnapshot(queryClient)
  const after = applyEvent(before, event)
  write(queryClient, before, after)
  if (event.name === 'PreorderChanged') applyPreorderToCache(queryClient, event.payload.record)
  if (event.name === 'NewMessage') inBackground(refetch(queryClient, { queryKey: [SUPPORT_KEY] }))
  if (event.name === 'NewUserNotification') applyNotificationToCache(queryClient, event.payload)
  // A pending reply may be older than the event, and would restore the earlier balance.
  const mayBeUndone = after.user !== before.user && queryClient.isFetching({ queryKey: ['user'] }) > 0
  if (mayBeUndone || movesHeldMoney(before, event, told)) inBackground(refetch(queryClient, { queryKey: ['user'] }))
  if (told === null) return
  noteRecord(queryClient, told.kind, told.record)
  applyRecordToDialog(queryClient, told.kind, told.record)
  const loaded: LoadedNumbers<NumberRecord> = before.loadedByKind[told.kind]
  if (findRecord(loaded, told.record.id) === undefined) {
    inBackground(refetch(queryClient, { queryKey: [LIST_KEYS[told.kind]] }))
  }
  // If no loaded list has a count of active numbers, the header shows the count of the user record.
  if (event.name !== 'NewCode' && activeCount(loaded) === undefined) {
    inBackground(refetch(queryClient, { queryKey: ['user'] }))
  }
}

/** Returns true if held money changed. The user is then refetched, because events carry only the available balance. */
function movesHeldMoney(before: LiveSnapshot, event: LiveEvent, told: ReturnType<typeof recordOf>): boolean {
  if (event.name === 'PreorderChanged') return event.payload.balance !== null
  if (told === null) return false
  const loaded: LoadedNumbers<NumberRecord> = before.loadedByKind[told.kind]
  const shown = findRecord(loaded, told.record.id)
  return shown === undefined ? told.record.money === 'held' : shown.money !== told.record.money
}

export function applyRecordToCache<Kind extends NumberKindName>(
  queryClient: QueryClient,
  kind: Kind,
  record: NumberRecords[Kind],
): void {
  const before = readSnapshot(queryClient)
  write(queryClient, before, applyRecord(before, kind, record))
  noteRecord(queryClient, kind, record)
  applyRecordToDialog(queryClient, kind, record)
}

/** Updates a number in the lists only, so that a ticket that the user has dismissed stays dismissed. */
export function applyRecordToLists(queryClient: QueryClient, kind: NumberKindName, record: NumberRecord): void {
  const before = readNumbers(queryClient, kind)
  writeNumbers(queryClient, kind, before, { ...putRecord(before, record), kept: before.kept })
}

/** Updates the number in its dialog. Older messages stay, because an event carries only the newest ones. */
export function applyRecordToDialog(queryClient: QueryClient, kind: NumberKindName, record: NumberRecord): void {
  queryClient.setQueryData<{ data: NumberRecord }>(
    recordKey(kind, record.id),
    (shown) => shown && { ...shown, data: { ...record, messages: joinMessages(record.messages, shown.data.messages) } },
  )
}

/** A loader's reply fills only the list with this filter. `askedAt` is the time of the request in ISO 8601. */
export type NumbersSeed<Item extends NumberRecord> = { filter: NumbersFilter; page: NumbersPage<Item>; askedAt: string }

export function seedList<Item extends NumberRecord>(
  queryClient: QueryClient,
  kind: NumberKindName,
  { filter, page, askedAt }: NumbersSeed<Item>,
): NumbersPages<Item> {
  const loaded: LoadedNumbers<NumberRecord> = { lists: [{ filter, pages: [page] }], kept: [] }
  const { lists } = recordsAfter(queryClient, kind, askedAt).reduce(putRecord, loaded)
  // The cast is safe, because records are stored by kind, so the merged records have the item type of this list.
  const pages = lists.flatMap((list) => list.pages) as NumbersPage<Item>[]
  return { pages, pageParams: [1] }
}

export function dismissTicket(queryClient: QueryClient, kind: NumberKindName, id: number): void {
  queryClient.setQueryData<NumberRecord[]>(keptKey(kind), (kept) => kept?.filter((record) => record.id !== id))
}

function recordOf({ name, payload }: LiveEvent): { kind: NumberKindName; record: NumberRecord } | null {
  switch (name) {
    case 'NewCode':
      return payload
    case 'ActivationChanged':
      return { kind: 'activation', record: payload.record }
    case 'RentalChanged':
      return { kind: 'rental', record: payload.record }
    default:
      return null
  }
}

function readSnapshot(queryClient: QueryClient): LiveSnapshot {
  return {
    user: queryClient.getQueryData<User>(['user']) ?? null,
    loadedByKind: {
      activation: readNumbers<NumberRecords['activation']>(queryClient, 'activation'),
      rental: readNumbers<NumberRecords['rental']>(queryClient, 'rental'),
    },
  }
}

function readNumbers<Item extends NumberRecord>(queryClient: QueryClient, kind: NumberKindName): LoadedNumbers<Item> {
  const cached = queryClient.getQueriesData<NumbersPages<Item>>({ queryKey: [LIST_KEYS[kind]] })
  return {
    lists: cached.flatMap(([key, data]) => (data === undefined ? [] : [{ filter: filterOf(key), pages: data.pages }])),
    kept: queryClient.getQueryData<Item[]>(keptKey(kind)) ?? [],
  }
}

function write(queryClient: QueryClient, before: LiveSnapshot, after: LiveSnapshot): void {
  if (after === before) return
  if (after.user !== before.user) queryClient.setQueryData(['user'], after.user)
  for (const kind of ['activation', 'rental'] as const) {
    const [was, is]: LoadedNumbers<NumberRecord>[] = [before.loadedByKind[kind], after.loadedByKind[kind]]
    if (was !== undefined && is !== undefined && was !== is) writeNumbers(queryClient, kind, was, is)
  }
}

function writeNumbers(
  queryClient: QueryClient,
  kind: NumberKindName,
  before: LoadedNumbers<NumberRecord>,
  after: LoadedNumbers<NumberRecord>,
): void {
  if (after.kept !== before.kept) queryClient.setQueryData(keptKey(kind), after.kept)
  for (const [index, { filter, pages }] of after.lists.entries()) {
    if (pages === before.lists[index]?.pages) continue
    queryClient.setQueryData<NumbersPages<NumberRecord>>(listKey(kind, filter), (data) => data && { ...data, pages })
  }
}

function joinMessages(newer: readonly MessageRecord[], older: readonly MessageRecord[]): MessageRecord[] {
  const known = new Set(newer.map(({ id }) => id))
  return [...newer, ...older.filter(({ id }) => !known.has(id))]
}

function filterOf(key: readonly unknown[]): NumbersFilter {
  // The cast is safe, because only listKey makes these keys.
  return (key[1] ?? {}) as NumbersFilter
}
