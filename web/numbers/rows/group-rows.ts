import type { NumberRecord } from '#web/live/numbers-cache.ts'
import { SHORT_SECONDS, secondsUntil } from '#web/ui/time/time-left.ts'

/** The groups in the order of the list. */
export const ROW_GROUPS = ['came', 'waiting', 'ending', 'ended'] as const
export type RowGroup = (typeof ROW_GROUPS)[number]

export type GroupedRows<Item extends NumberRecord> = { group: RowGroup; records: Item[] }

/** The groups of rows by number. */
export type HeldGroups = ReadonlyMap<number, RowGroup>

/** Returns the groups that have rows. The rows of a group keep their order. A number in `held` stays in that group. */
export function groupRows<Item extends NumberRecord>(
  records: readonly Item[],
  isEnding: (record: Item) => boolean,
  held: HeldGroups = new Map(),
): GroupedRows<Item>[] {
  const byGroup = Map.groupBy(records, (record) => held.get(record.id) ?? groupOf(record, isEnding(record)))
  return ROW_GROUPS.flatMap((group) => {
    const rows = byGroup.get(group)
    return rows === undefined ? [] : [{ group, records: rows }]
  })
}

export function waitsForCode(record: NumberRecord): boolean {
  return groupOf(record, false) === 'waiting'
}

/** Returns true in the last two minutes. A rental's server says when its end is near, as its warning comes earlier. */
export function endsSoon(record: NumberRecord, endsAt: string, nowMs: number): boolean {
  return 'expiring' in record ? record.expiring : secondsUntil(endsAt, nowMs) < SHORT_SECONDS
}

function groupOf(record: NumberRecord, isEnding: boolean): RowGroup {
  if (record.final) return 'ended'
  // A code stays until the buyer has used it, even if little time is left.
  if (record.state === 'received' || (record.state === 'active' && record.code !== null)) return 'came'
  return isEnding ? 'ending' : 'waiting'
}
