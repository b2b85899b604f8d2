import { MINUTE } from '#contract/time.ts'
import type { Context } from '#server/context.ts'
import { localTime, readDays } from '#server/numbers/statistics/local-days.ts'
import {
  findScanEnd,
  findStand,
  findTransferUpTo,
  listMovements,
  type MovementRow,
  type Stand,
} from './movement-queries.ts'
import { readMovementsCursor } from './movements-cursor.ts'

export type MovementsFilter = {
  from?: string | undefined
  to?: string | undefined
  time_zone?: string | undefined
  direction?: 'in' | 'out' | undefined
}

const SCANNED_AT_ONCE = 20_000
const MOST_SCANNED = 100_000
const OPEN_DAYS = { from: () => '0001-01-01', to: '9999-12-31' }
/** Ids follow statement times only roughly; no movement is further out of order. */
const DISORDER_MS = 5 * MINUTE
/** Above every id. */
const NEWEST_ID = 9_000_000_000_000_000_000n

/**
 * No transfer stores a balance, because purchases would have to serialise on it. The page walks back from the account's
 * balance, and its cursor carries the balance on. Its cost therefore depends on its size only; a page with `to` sums
 * what came after once. It may hold fewer than `limit`; `next` is null at the end.
 */
export async function pageOfMovements(
  ctx: Context,
  input: { userId: number; filter: MovementsFilter; cursor: string | undefined; limit: number },
): Promise<{ rows: MovementRow[]; next: Stand | null }> {
  const { userId, filter, limit } = input
  const days = readDays(localTime(filter.time_zone), filter, OPEN_DAYS)
  const beginsAt = filter.from === undefined ? null : days.beginsAt
  const endsAt = filter.to === undefined ? null : days.endsAt
  let after = readMovementsCursor(ctx, userId, input.cursor) ?? (await findBeginning(ctx, userId, endsAt))
  const rows: MovementRow[] = []
  for (let scanned = 0; after !== null && scanned < MOST_SCANNED; scanned += SCANNED_AT_ONCE) {
    const step = { userId, after, scanned: SCANNED_AT_ONCE }
    const wanted = { ...step, beginsAt, endsAt, direction: filter.direction ?? null, limit: limit + 1 - rows.length }
    rows.push(...(await listMovements(ctx.db, wanted)))
    const next = rows[limit]
    // The cursor carries the balance of the first movement of the next page.
    if (next !== undefined) {
      return { rows: rows.slice(0, limit), next: { id: next.id + 1n, balanceMicros: next.balance_micros } }
    }
    const end: (Stand & { at: Date }) | null = await findScanEnd(ctx.db, step)
    after = end === null || isOver(end.at, beginsAt) ? null : end
  }
  return { rows, next: after }
}

/** DISORDER_MS covers movements out of order. */
function isOver(at: Date, beginsAt: Date | null): boolean {
  return beginsAt !== null && at.getTime() + DISORDER_MS < beginsAt.getTime()
}

async function findBeginning(ctx: Context, userId: number, endsAt: Date | null): Promise<Stand | null> {
  if (endsAt === null) return findStand(ctx.db, { userId, newestId: NEWEST_ID })
  const newest = await findTransferUpTo(ctx.db, { userId, id: NEWEST_ID })
  if (newest === null) return null
  return findStand(ctx.db, { userId, newestId: await findNewestBefore(ctx, userId, newest, endsAt) })
}

/** Binary search by id, because transfers have no index by time. */
async function findNewestBefore(
  ctx: Context,
  userId: number,
  newest: { id: bigint; at: Date },
  endsAt: Date,
): Promise<bigint> {
  const isBefore = (at: Date) => at.getTime() - DISORDER_MS < endsAt.getTime()
  if (isBefore(newest.at)) return newest.id
  // Invariant: the newest transfer up to `low` is before `endsAt` or missing; that up to `high` is not.
  let [low, high] = [0n, newest.id]
  while (low < high - 1n) {
    const middle = (low + high) / 2n
    const found = await findTransferUpTo(ctx.db, { userId, id: middle })
    if (found === null || isBefore(found.at)) low = middle
    else high = found.id
  }
  return low
}
