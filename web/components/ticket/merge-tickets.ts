import type { ActivationRecord, ActiveNumbers } from '#contract/activation.ts'
import type { ActiveNumbersFilter } from '#contract/buying-calls.ts'
import { matchesFilter } from '../../live/apply-event.ts'

/**
 * What the list shows: the active numbers loaded so far, and among them the ended ones that are kept in view. Each number
 * once, though pages that shift while they load may bring it twice; in the order of the filter.
 */
export function mergeTickets(
  pages: readonly ActiveNumbers[],
  kept: readonly ActivationRecord[],
  filter: ActiveNumbersFilter,
): ActivationRecord[] {
  const byId = new Map<number, ActivationRecord>()
  for (const page of pages) for (const record of page.numbers.data) byId.set(record.id, record)
  // Set last: an end is newer than whatever a list still says.
  for (const record of kept) if (matchesFilter(record, filter)) byId.set(record.id, record)
  return [...byId.values()].sort(ORDERS[filter.sort ?? 'newest'])
}

type Order = (left: ActivationRecord, right: ActivationRecord) => number

const byAge: Order = (left, right) => Date.parse(left.created_at) - Date.parse(right.created_at) || left.id - right.id

const ORDERS: Record<NonNullable<ActiveNumbersFilter['sort']>, Order> = {
  newest: (left, right) => byAge(right, left),
  oldest: byAge,
  expiring: (left, right) =>
    Number(left.final) - Number(right.final) ||
    Date.parse(left.expires_at) - Date.parse(right.expires_at) ||
    byAge(left, right),
}
