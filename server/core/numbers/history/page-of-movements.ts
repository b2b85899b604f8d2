import type { Context } from '#server/house/context.ts'
import type { Db } from '#server/house/db/pool.ts'
import { localTime, OPEN_DAYS, readDays } from '#server/house/http/local-days.ts'
import {
  type BalancePosition,
  findBalancePosition,
  findScanEnd,
  listMovements,
  type MovementRow,
  type MovementsWanted,
} from './movement-queries.ts'
import { DISORDER_MS, findNewest, NEWEST_ID } from './movements-by-time.ts'
import { readMovementsCursor } from './movements-cursor.ts'

export type MovementsFilter = {
  from?: string | undefined
  to?: string | undefined
  time_zone?: string | undefined
  direction?: 'in' | 'out' | undefined
}

const SCANNED_AT_ONCE = 20_000
const MOST_SCANNED = 100_000

/**
 * Returns a page of movements with the balance after each. Transfers store no balance, because purchases would then
 * have to run one after another. The page is computed backwards from the account's balance, and the cursor carries the
 * balance to the next page, so the cost depends only on the page size. If the filter has `to`, the first page also sums
 * all changes after that time. A page may hold fewer than `limit` rows; `next` is null on the last page.
 */
export async function pageOfMovements(
  ctx: Context,
  db: Db,
  input: { userId: number; filter: MovementsFilter; cursor: string | undefined; limit: number },
): Promise<{ rows: MovementRow[]; next: BalancePosition | null }> {
  const { userId } = input
  const [id, balanceMicros] = readMovementsCursor(ctx, userId, input.cursor, 2) ?? []
  const after = id === undefined || balanceMicros === undefined ? null : { id, balanceMicros }
  const scan = { atOnce: SCANNED_AT_ONCE, most: MOST_SCANNED }
  return walkBack(db, { ...input, after, scan, list: (wanted) => listMovements(db, wanted) })
}

type Walk<Row> = {
  userId: number
  filter: MovementsFilter
  /** The position at which the page begins; null means at the newest movement. */
  after: BalancePosition | null
  limit: number
  scan: { atOnce: number; most: number }
  list(wanted: MovementsWanted): Promise<Row[]>
}

/** Computes the balance after each movement, from the newest to the oldest. Each row is one movement. */
export async function walkBack<Row extends { id: bigint; balance_micros: bigint }>(
  db: Db,
  { userId, filter, limit, scan, list, ...walk }: Walk<Row>,
): Promise<{ rows: Row[]; next: BalancePosition | null }> {
  const days = readDays(localTime(filter.time_zone), filter, OPEN_DAYS)
  const beginsAt = filter.from === undefined ? null : days.beginsAt
  const endsAt = filter.to === undefined ? null : days.endsAt
  let after = walk.after ?? (await findBeginning(db, userId, endsAt))
  const rows: Row[] = []
  for (let scanned = 0; after !== null && scanned < scan.most; scanned += scan.atOnce) {
    const step = { userId, after, scanned: scan.atOnce }
    const wanted = { ...step, beginsAt, endsAt, direction: filter.direction ?? null, limit: limit + 1 - rows.length }
    rows.push(...(await list(wanted)))
    const next = rows[limit]
    // The cursor carries the balance after the first movement of the next page.
    if (next !== undefined) {
      return { rows: rows.slice(0, limit), next: { id: next.id + 1n, balanceMicros: next.balance_micros } }
    }
    const end: (BalancePosition & { at: Date }) | null = await findScanEnd(db, step)
    after = end === null || isOver(end.at, beginsAt) ? null : end
  }
  return { rows, next: after }
}

/** Times may be out of order by DISORDER_MS, so the scan continues that long past the beginning of the wanted time. */
function isOver(at: Date, beginsAt: Date | null): boolean {
  return beginsAt !== null && at.getTime() + DISORDER_MS < beginsAt.getTime()
}

async function findBeginning(db: Db, userId: number, endsAt: Date | null): Promise<BalancePosition | null> {
  if (endsAt === null) return findBalancePosition(db, { userId, newestId: NEWEST_ID })
  const isBefore = (at: Date) => at.getTime() - DISORDER_MS < endsAt.getTime()
  const newestId = await findNewest(db, { userId, isBefore })
  return newestId === null ? null : findBalancePosition(db, { userId, newestId })
}
