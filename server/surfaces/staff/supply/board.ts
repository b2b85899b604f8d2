import type { ShownSupplier } from '#contract/staff/supply.ts'
import { SHARE_WINDOWS } from '#contract/staff/supply-constants.ts'
import { DAY, SECOND } from '#contract/time.ts'
import { listAlarms, listMutes } from '#server/core/alarms/queries.ts'
import { healthBookOf } from '#server/core/catalog/health/health-book.ts'
import {
  countOpenNumbers,
  countUnmatchedOfAll,
  sumCallsOfAll,
  sumWindows,
} from '#server/core/catalog/health/queries/board.ts'
import { sumReusedIds } from '#server/core/catalog/health/queries/reused-ids.ts'
import { listShownSuppliers } from '#server/core/catalog/health/queries/shown.ts'
import { SHARE_WINDOW_MS } from '#server/core/catalog/health/shown-shares.ts'
import { refreshNorms } from '#server/core/catalog/standing/judge-shares.ts'
import type { Context } from '#server/house/context.ts'
import { perContext } from '#server/house/memory.ts'
import { type BoardFacts, toShownSupplier } from './to-shown.ts'

/** The maximum number of suppliers shown. No installation has more. */
const MOST_SUPPLIERS = 500
/** The time for which all pages share the state of the suppliers, because a read covers the outcomes of a whole day. */
const FRESH_MS = 5 * SECOND

type Board = { readAt: number; suppliers: Promise<readonly ShownSupplier[]> }

const boardOf = perContext(
  'board of suppliers',
  { scope: 'process', nodes: 'told', lost: 'nothing: it is read from the tables' },
  (): { known: Board | null } => ({ known: null }),
)

export async function readBoard(ctx: Context): Promise<readonly ShownSupplier[]> {
  const nowMs = ctx.clock.now().getTime()
  const kept = boardOf(ctx)
  const { known } = kept
  if (known !== null && Math.abs(nowMs - known.readAt) < FRESH_MS) return known.suppliers
  const board = { readAt: nowMs, suppliers: gather(ctx) }
  kept.known = board
  try {
    return await board.suppliers
  } catch (error) {
    if (kept.known === board) kept.known = null
    throw error
  }
}

/** Drops the cached state of the suppliers after a change by staff, so that the page shows the change. */
export function forgetBoard(ctx: Context): void {
  boardOf.forget(ctx)
}

async function gather(ctx: Context): Promise<readonly ShownSupplier[]> {
  const { db } = ctx
  const now = ctx.clock.now()
  const before = (ms: number) => new Date(now.getTime() - ms)
  const dayAgo = before(DAY)
  await refreshNorms(ctx)
  // The queries run one after another, so that a staff page takes only one database connection from the buyers.
  const rows = await listShownSuppliers(db, MOST_SUPPLIERS)
  const facts: BoardFacts = {
    calls: await sumCallsOfAll(db, dayAgo),
    windows: await sumWindows(
      db,
      SHARE_WINDOWS.map((name) => before(SHARE_WINDOW_MS[name])),
    ),
    open: await countOpenNumbers(db),
    unmatched: await countUnmatchedOfAll(db, dayAgo),
    reusedIds: await sumReusedIds(db, dayAgo),
    alarms: await listAlarms(db),
    mutes: await listMutes(db, now),
    norms: healthBookOf(ctx).norms,
  }
  return rows.map((row) => toShownSupplier(row, facts))
}
