import type { LiveEvent } from '#contract/live-events.ts'
import type { Currency } from '#contract/money.ts'
import type { User } from '#contract/user.ts'
import { activeCount, type LoadedNumbers, type NumberKindName, type NumberRecords, putRecord } from './numbers-cache.ts'

export type LiveSnapshot = {
  user: User | null
  loadedByKind: { [Kind in NumberKindName]: LoadedNumbers<NumberRecords[Kind]> }
}

/** Returns the cached user and numbers after a live event, or `snapshot` itself if nothing changes. It is pure. */
export function applyEvent(snapshot: LiveSnapshot, event: LiveEvent): LiveSnapshot {
  switch (event.name) {
    case 'NewUserNotification':
      return withUser(snapshot, (user) => ({ ...user, notifications_count: event.payload.notifications_count }))
    case 'NewCode':
      return event.payload.kind === 'activation'
        ? applyRecord(snapshot, 'activation', event.payload.record)
        : applyRecord(snapshot, 'rental', event.payload.record)
    case 'ActivationChanged':
      return applyRecord(withBalance(snapshot, event.payload), 'activation', event.payload.record)
    case 'RentalChanged':
      return applyRecord(withBalance(snapshot, event.payload), 'rental', event.payload.record)
    case 'PreorderChanged':
      // apply-preorder.ts updates the list of pre-orders, so only the balance is updated here.
      return withBalance(snapshot, event.payload)
    case 'BalanceTopup':
    case 'PaymentChanged':
      return withUser(snapshot, (user) =>
        user.currency === event.payload.currency ? { ...user, balance: event.payload.balance } : user,
      )
    case 'NewMessage':
    case 'StaffTicketChanged':
    case 'StaffWriting':
    case 'EventsMissed':
      return snapshot
    default: {
      const unknown: never = event
      return unknown
    }
  }
}

export function applyRecord<Kind extends NumberKindName>(
  snapshot: LiveSnapshot,
  kind: Kind,
  record: NumberRecords[Kind],
): LiveSnapshot {
  const before: LoadedNumbers<NumberRecords[Kind]> = snapshot.loadedByKind[kind]
  const loaded = putRecord(before, record)
  if (loaded === before) return snapshot
  const applied = { ...snapshot, loadedByKind: { ...snapshot.loadedByKind, [kind]: loaded } }
  const count = activeCount(loaded)
  if (count === undefined) return applied
  return withUser(applied, (user) => {
    const counts = user.activations
    return { ...user, activations: kind === 'rental' ? { ...counts, rent_count: count } : { ...counts, count } }
  })
}

function withUser(snapshot: LiveSnapshot, change: (user: User) => User): LiveSnapshot {
  return snapshot.user === null ? snapshot : { ...snapshot, user: change(snapshot.user) }
}

function withBalance(
  snapshot: LiveSnapshot,
  change: { record: { currency: Currency }; balance: string | null },
): LiveSnapshot {
  const { balance, record } = change
  if (balance === null) return snapshot
  return withUser(snapshot, (user) => (user.currency === record.currency ? { ...user, balance } : user))
}
