import type { ActivationRecord, ActiveNumbers } from '#contract/activation.ts'
import type { ActiveNumbersFilter } from '#contract/buying-calls.ts'
import type { LiveEventName, LiveEvents } from '#contract/live-events.ts'
import type { User } from '#contract/user.ts'

export type LiveEvent = { [Name in LiveEventName]: { name: Name; payload: LiveEvents[Name] } }[LiveEventName]

/** One loaded list of active numbers: its filter (without the page) and the pages loaded so far. */
export type LoadedList = { filter: ActiveNumbersFilter; pages: ActiveNumbers[] }

/** What the page holds that a live event may change. */
export type LiveSnapshot = {
  user: User | null
  lists: LoadedList[]
  /** Ended tickets that stay in view until they are dismissed or the page is reloaded. */
  kept: ActivationRecord[]
}

/** The one place where live events change what is shown. Pure: the same object comes back when nothing changes. */
export function applyEvent(snapshot: LiveSnapshot, event: LiveEvent): LiveSnapshot {
  switch (event.name) {
    case 'BalanceTopup':
      return withUser(snapshot, (user) =>
        user.currency === event.payload.currency ? { ...user, balance: event.payload.balance } : user,
      )
    case 'NewUserNotification':
      return withUser(snapshot, (user) => ({ ...user, notifications_count: user.notifications_count + 1 }))
    case 'NewCode':
      return event.payload.kind === 'activation' ? applyLiveRecord(snapshot, event.payload.record) : snapshot
    case 'ActivationChanged':
      return applyLiveRecord(withBalance(snapshot, event.payload), event.payload.record)
    case 'RentalChanged':
    case 'PreorderChanged':
    case 'NewMessage':
      return snapshot
    default: {
      const unknown: never = event
      return unknown
    }
  }
}

/**
 * Puts the newest version of a record where it belongs: an active one replaces its older self in every list or stands first
 * where it is new; an ended one leaves the lists and is kept for view. Counters follow. Replies of purchases and of ticket
 * actions come through here as well. A version older than the one shown is ignored: replies may overtake each other.
 */
export function applyRecord(snapshot: LiveSnapshot, record: ActivationRecord): LiveSnapshot {
  const shown = findRecord(snapshot, record.id)
  if (shown !== undefined && isOlder(record, shown)) return snapshot
  const lists = snapshot.lists.map((list) => (record.final ? withoutRecord(list, record.id) : withRecord(list, record)))
  const kept = record.final ? [record, ...snapshot.kept.filter(({ id }) => id !== record.id)] : snapshot.kept
  const applied = { ...snapshot, lists, kept }
  const count = lists.find(({ filter }) => isUnfiltered(filter))?.pages[0]?.total_count
  if (count === undefined) return applied
  return withUser(applied, (user) => ({ ...user, activations: { ...user.activations, count } }))
}

/** Whether a record belongs into a list with this filter; the server's rule, for records that arrive live. */
export function matchesFilter(record: ActivationRecord, filter: ActiveNumbersFilter): boolean {
  const services = filter.services_ids ?? []
  const countries = filter.countries_ids ?? []
  if (services.length > 0 && !services.includes(record.service.id)) return false
  if (countries.length > 0 && !countries.includes(record.country.id)) return false
  const search = (filter.search ?? '').trim().toLowerCase()
  if (search === '') return true
  const digits = search.replace(/\D/g, '')
  if (digits !== '' && (record.phone ?? '').includes(digits)) return true
  return [record.service.name, record.country.name].some((text) => text.toLowerCase().includes(search))
}

/** The record with this id, wherever it is shown. */
export function findRecord(snapshot: LiveSnapshot, id: number): ActivationRecord | undefined {
  const listed = snapshot.lists.flatMap(({ pages }) => pages.flatMap((page) => page.numbers.data))
  return [...snapshot.kept, ...listed].find((record) => record.id === id)
}

function withUser(snapshot: LiveSnapshot, change: (user: User) => User): LiveSnapshot {
  return snapshot.user === null ? snapshot : { ...snapshot, user: change(snapshot.user) }
}

function withBalance(snapshot: LiveSnapshot, change: LiveEvents['ActivationChanged']): LiveSnapshot {
  const { balance, record } = change
  if (balance === null) return snapshot
  return withUser(snapshot, (user) => (user.currency === record.currency ? { ...user, balance } : user))
}

/** One event serves all tabs of a user, so its names are in one language: those on the page are in the page's. */
function applyLiveRecord(snapshot: LiveSnapshot, record: ActivationRecord): LiveSnapshot {
  const shown = findRecord(snapshot, record.id)
  if (shown === undefined) return applyRecord(snapshot, record)
  return applyRecord(snapshot, {
    ...record,
    service: { ...record.service, name: shown.service.name },
    country: { ...record.country, name: shown.country.name },
  })
}

/** Ends are final and messages only grow, which orders any two versions of one record. */
function isOlder(incoming: ActivationRecord, shown: ActivationRecord): boolean {
  if (shown.final !== incoming.final) return shown.final
  return incoming.messages.length < shown.messages.length
}

function withRecord(list: LoadedList, record: ActivationRecord): LoadedList {
  const known = list.pages.some((page) => page.numbers.data.some(({ id }) => id === record.id))
  if (known) return mapPages(list, (data) => data.map((shown) => (shown.id === record.id ? record : shown)))
  const first = list.pages[0]
  if (first === undefined || !matchesFilter(record, list.filter)) return list
  // With pages still to load the record may stand on one of them and be counted already: then only show it.
  const isNew = loadedCount(list) >= first.numbers.meta.total
  const pages = list.pages.map((page, index) => ({
    ...addToTotals(page, isNew ? 1 : 0),
    numbers: {
      data: index === 0 ? [record, ...page.numbers.data] : page.numbers.data,
      meta: { ...page.numbers.meta, total: page.numbers.meta.total + (isNew ? 1 : 0) },
    },
  }))
  return { ...list, pages }
}

function withoutRecord(list: LoadedList, id: number): LoadedList {
  const known = list.pages.some((page) => page.numbers.data.some((record) => record.id === id))
  if (!known) return list
  const rest = mapPages(list, (data) => data.filter((record) => record.id !== id))
  const pages = rest.pages.map((page) => ({
    ...addToTotals(page, -1),
    numbers: { ...page.numbers, meta: { ...page.numbers.meta, total: Math.max(0, page.numbers.meta.total - 1) } },
  }))
  return { ...rest, pages }
}

function mapPages(list: LoadedList, change: (data: ActivationRecord[]) => ActivationRecord[]): LoadedList {
  const pages = list.pages.map((page) => ({ ...page, numbers: { ...page.numbers, data: change(page.numbers.data) } }))
  return { ...list, pages }
}

function addToTotals(page: ActiveNumbers, change: number): ActiveNumbers {
  return { ...page, total_count: Math.max(0, page.total_count + change) }
}

function loadedCount(list: LoadedList): number {
  return list.pages.reduce((count, page) => count + page.numbers.data.length, 0)
}

function isUnfiltered(filter: ActiveNumbersFilter): boolean {
  return (filter.search ?? '') === '' && !filter.services_ids?.length && !filter.countries_ids?.length
}
