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
/** Ids follow the time of their statements, and statements take a moment: no movement is this far out of its order. */
const DISORDER_MS = 5 * MINUTE
/** Above every id. */
const NEWEST_ID = 9_000_000_000_000_000_000n

/**
 * Up to `limit` changes of a buyer's balance, newest first, and where to go on; null at the end. As with purchases, a
 * page may hold fewer though it goes on.
 *
 * No balance is stored with a transfer, because a purchase would have to wait for it. What stands in the account is the
 * balance after the newest movement, and each step back takes one away again. A page ends with the balance that the next
 * one begins with, which never changes any more, so a page costs as much as it shows, however far back it is. A page that
 * begins in the past (`to`) sums once what came after it.
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
    // The first of the next page: its own balance is what that page begins with.
    if (next !== undefined) {
      return { rows: rows.slice(0, limit), next: { id: next.id + 1n, balanceMicros: next.balance_micros } }
    }
    const end: (Stand & { at: Date }) | null = await findScanEnd(ctx.db, step)
    after = end === null || isOver(end.at, beginsAt) ? null : end
  }
  return { rows, next: after }
}

/** Whether all that is older than a movement of this time was made before the days that were asked for. */
function isOver(at: Date, beginsAt: Date | null): boolean {
  return beginsAt !== null && at.getTime() + DISORDER_MS < beginsAt.getTime()
}

/** The place from which the days that were asked for are walked back. */
async function findBeginning(ctx: Context, userId: number, endsAt: Date | null): Promise<Stand | null> {
  if (endsAt === null) return findStand(ctx.db, { userId, newestId: NEWEST_ID })
  const newest = await findTransferUpTo(ctx.db, { userId, id: NEWEST_ID })
  if (newest === null) return null
  return findStand(ctx.db, { userId, newestId: await findNewestBefore(ctx, userId, newest, endsAt) })
}

/** An id that no transfer made before this time is above, found by halves: transfers are found by their ids alone. */
async function findNewestBefore(
  ctx: Context,
  userId: number,
  newest: { id: bigint; at: Date },
  endsAt: Date,
): Promise<bigint> {
  const isBefore = (at: Date) => at.getTime() - DISORDER_MS < endsAt.getTime()
  if (isBefore(newest.at)) return newest.id
  // Of the ids up to `low` the newest transfer is before that time, or there is none; of those up to `high` it is not.
  let [low, high] = [0n, newest.id]
  while (low < high - 1n) {
    const middle = (low + high) / 2n
    const found = await findTransferUpTo(ctx.db, { userId, id: middle })
    if (found === null || isBefore(found.at)) low = middle
    else high = found.id
  }
  return low
}
