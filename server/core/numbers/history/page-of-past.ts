import { HISTORY_MODES, type HistoryOutcome } from '#contract/past/history.ts'
import { searchNumbers } from '#server/core/numbers/listing/search-numbers.ts'
import type { Context } from '#server/house/context.ts'
import type { Db } from '#server/house/db/pool.ts'
import { localTime, OPEN_DAYS, readDays } from '#server/house/http/local-days.ts'
import { isBefore, type PageCursor } from './cursor.ts'
import { findMadeAt, findSpanEnd, type HistoryRow, type HistorySpan, type HistoryWanted, listPast } from './queries.ts'

export type PastFilter = {
  from?: string | undefined
  to?: string | undefined
  time_zone?: string | undefined
  services_ids?: string[] | undefined
  countries_ids?: number[] | undefined
  mode?: 'activation' | 'rent' | undefined
  outcome?: HistoryOutcome | undefined
  search?: string | undefined
}

/**
 * The limits of scanned purchases for one request, for activations and for rentals each. A search that finds few
 * matches continues on the next page.
 */
export const SCANNED_AT_ONCE = 20_000
export const MOST_SCANNED = 100_000
/** Matches an id of a purchase. Ids have at least nine digits; fewer digits are searched as part of a phone. */
const ID_PATTERN = /^#?(\d{9,18})$/

/** Returns a page of past purchases, which may be short or even empty. `next` is null on the last page only. */
export async function pageOfPast(
  ctx: Context,
  db: Db,
  input: { userId: number; filter: PastFilter; after: PageCursor; limit: number },
): Promise<{ rows: HistoryRow[]; next: PageCursor | null }> {
  const { filter, limit, userId } = input
  const modes = filter.mode === undefined ? HISTORY_MODES : [filter.mode]
  const wanted = await readWanted(ctx, db, { userId, filter })
  const rows: HistoryRow[] = []
  let after = firstPlace(wanted, input.after)
  for (let scanned = 0; scanned < MOST_SCANNED; scanned += SCANNED_AT_ONCE) {
    const span = { userId, after, beginsAt: wanted.beginsAt, scanned: SCANNED_AT_ONCE }
    const missing = { ...wanted, limit: limit + 1 - rows.length }
    const steps = await Promise.all(modes.map((mode) => step(db, mode, span, missing)))
    // Activations and rentals may be scanned back to different times. Only rows newer than both times are complete.
    const known = steps.flatMap(({ until }) => (until === null ? [] : [until])).reduce(newest, null)
    const fresh = steps.flatMap((one) => one.rows).filter((row) => known === null || !isBefore(known, placeOf(row)))
    rows.push(...fresh.sort((a, b) => (isBefore(placeOf(a), placeOf(b)) ? -1 : 1)))
    const last = rows[limit - 1]
    if (rows.length > limit && last !== undefined) return { rows: rows.slice(0, limit), next: placeOf(last) }
    if (known === null) return { rows, next: null }
    after = known
  }
  return { rows, next: after }
}

/** Returns one upper bound, because an index scan with two bounds would begin at the newer one. */
export function firstPlace({ endsAt }: { endsAt: Date | null }, after: PageCursor): PageCursor {
  return endsAt === null ? after : oldest(after, beginningOf(endsAt))
}

/** Reads a batch of activations or rentals. `until` is where the scan ended, or null if no purchases are left. */
async function step(
  db: Db,
  mode: 'activation' | 'rent',
  span: HistorySpan,
  wanted: HistoryWanted,
): Promise<{ rows: HistoryRow[]; until: PageCursor | null }> {
  const rows = await listPast(db, mode, { span, wanted })
  const last = rows.at(-1)
  if (last !== undefined && rows.length === wanted.limit) return { rows, until: placeOf(last) }
  return { rows, until: await findSpanEnd(db, mode, span) }
}

function placeOf(row: HistoryRow): PageCursor {
  return { atMicros: row.at_micros, id: row.id }
}

/** Returns the cursor whose page begins with the first purchase older than `at`. */
function beginningOf(at: Date): PageCursor {
  return { atMicros: BigInt(at.getTime()) * 1000n, id: 0n }
}

function oldest(a: PageCursor, b: PageCursor): PageCursor {
  return isBefore(a, b) ? b : a
}

function newest(a: PageCursor | null, b: PageCursor): PageCursor {
  return a !== null && isBefore(a, b) ? a : b
}

export async function readWanted(
  ctx: Context,
  db: Db,
  { userId, filter }: { userId: number; filter: PastFilter },
): Promise<Omit<HistoryWanted, 'limit'> & { beginsAt: Date | null; endsAt: Date | null }> {
  const days = readDays(localTime(filter.time_zone), filter, OPEN_DAYS)
  const span = {
    beginsAt: filter.from === undefined ? null : days.beginsAt,
    endsAt: filter.to === undefined ? null : days.endsAt,
  }
  const kinds = {
    serviceCodes: filter.services_ids ?? null,
    countryIds: filter.countries_ids ?? null,
    outcome: filter.outcome ?? null,
  }
  const id = ID_PATTERN.exec(filter.search?.trim() ?? '')?.[1]
  const madeAt = id === undefined ? null : await findMadeAt(db, { userId, id: BigInt(id) })
  if (id !== undefined && madeAt !== null) {
    // A search by exact id scans only the moment at which that purchase was made.
    const search = { phonePart: null, serviceCodes: [], countryIds: [], id: BigInt(id) }
    return { ...kinds, search, beginsAt: later(span.beginsAt, madeAt), endsAt: earlier(span.endsAt, madeAt) }
  }
  const search = searchNumbers(ctx, filter.search)
  return { ...kinds, ...span, search: search === null ? null : { ...search, id: null } }
}

function later(begin: Date | null, at: Date): Date {
  return begin !== null && begin > at ? begin : at
}

function earlier(end: Date | null, at: Date): Date {
  const after = new Date(at.getTime() + 1)
  return end !== null && end < after ? end : after
}
