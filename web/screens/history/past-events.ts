import { type InfiniteData, type Query, type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import type { ActivationRecord } from '#contract/activation.ts'
import type { LiveEvent } from '#contract/live-events.ts'
import type { HistoryItem, HistoryReply } from '#contract/past/history.ts'
import type { RentalRecord } from '#contract/rental.ts'
import { SECOND } from '#contract/time.ts'
import { useAppContext } from '#web/house/app-context.ts'
import { inBackground } from '#web/house/in-background.ts'
import { useLiveEvent } from '#web/live/use-live-event.ts'
import { refetch } from '#web/session/refetch.ts'

export const HISTORY_KEY = 'history'
export const ENTRIES_KEY = 'entries'
export const TOTALS_KEY = 'history-totals'

/** Refetches within this time are merged, because a program may buy many numbers a second. */
const GATHER_MS = SECOND

export type HistoryPages = InfiniteData<HistoryReply, string | null>

/**
 * Keeps the history current after live events and reconnects. A list is refetched only while it has one loaded page,
 * because new rows would disturb reading a longer list.
 */
export function usePastNews(): void {
  const queryClient = useQueryClient()
  const { live } = useAppContext()
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useLiveEvent((event) => {
    if (!movesMoney(event)) return
    queryClient.setQueriesData<HistoryPages>(
      { queryKey: [HISTORY_KEY] },
      (pages) => pages && applyEventToPages(pages, event),
    )
    timer.current ??= setTimeout(() => {
      timer.current = undefined
      refetchShortLists(queryClient)
    }, GATHER_MS)
  })
  useEffect(() => {
    const stop = live.state.subscribe(() => {
      if (live.state.get() === 'connected') refetchShortLists(queryClient)
    })
    return () => {
      stop()
      clearTimeout(timer.current)
      timer.current = undefined
    }
  }, [live, queryClient])
}

function movesMoney({ name }: LiveEvent): boolean {
  return !['NewUserNotification', 'NewMessage', 'StaffTicketChanged', 'StaffWriting'].includes(name)
}

function refetchShortLists(queryClient: QueryClient): void {
  inBackground(refetchTotals(queryClient))
  for (const queryKey of [[HISTORY_KEY], [ENTRIES_KEY]]) {
    inBackground(
      refetch(queryClient, {
        queryKey,
        // The cast is safe, because TanStack Query stores the pages of an infinite query in this format.
        predicate: ({ state }) => (state.data as HistoryPages | undefined)?.pages.length === 1,
      }),
    )
  }
}

/** Totals of a long history take a while, so a running request ends first. It may lack what was just told. */
async function refetchTotals(queryClient: QueryClient): Promise<void> {
  const totals = { queryKey: [TOTALS_KEY] }
  await queryClient.refetchQueries({ ...totals, fetchStatus: 'fetching' }, { cancelRefetch: false })
  await refetch(queryClient, { ...totals, predicate: ({ state }: Query) => state.fetchStatus === 'idle' })
}

/** Applies an event to the loaded pages. Returns the same object when no page shows the purchase. */
export function applyEventToPages(shown: HistoryPages, event: LiveEvent): HistoryPages {
  const news = newsOf(event)
  if (news === null) return shown
  const isIt = ({ id, mode }: HistoryItem) => id === news.id && mode === news.mode
  if (!shown.pages.some(({ history }) => history.data.some(isIt))) return shown
  const pages = shown.pages.map((page) => ({
    ...page,
    history: {
      ...page.history,
      data: page.history.data.map((item) => (isIt(item) ? { ...item, ...news.changes(item) } : item)),
    },
  }))
  return { ...shown, pages }
}

type News = Pick<HistoryItem, 'id' | 'mode'> & { changes: (item: HistoryItem) => Partial<HistoryItem> }

/** Returns the fields that an event changes. Names never change. */
function newsOf({ name, payload }: LiveEvent): News | null {
  switch (name) {
    case 'ActivationChanged':
      return newsOfActivation(payload.record)
    case 'RentalChanged':
      return newsOfRental(payload.record)
    case 'NewCode':
      return payload.kind === 'activation' ? newsOfActivation(payload.record) : newsOfRental(payload.record)
    default:
      return null
  }
}

function newsOfActivation(record: ActivationRecord): News {
  return {
    id: record.id,
    mode: 'activation',
    changes: (item) => changesBy(item, { ...record, messages_count: record.messages.length }),
  }
}

function newsOfRental(record: RentalRecord): News {
  return { id: record.id, mode: 'rent', changes: (item) => ({ ...changesBy(item, record), hours: record.hours }) }
}

type Known = Pick<HistoryItem, 'state' | 'code' | 'phone' | 'price' | 'messages_count'> & Pick<RentalRecord, 'money'>

function changesBy(item: HistoryItem, record: Known): Partial<HistoryItem> {
  const { state, code, phone, price, money } = record
  const returned = money === 'released'
  return {
    state,
    code,
    phone,
    price,
    paid: returned ? '0.00' : price,
    outcome: returned ? 'returned' : item.outcome,
    money,
    messages_count: Math.max(item.messages_count, record.messages_count),
  }
}
