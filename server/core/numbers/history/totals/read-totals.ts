import { toDecimal } from '#contract/money.ts'
import { HISTORY_MODES, type HistoryTotals } from '#contract/past/history.ts'
import type { Context } from '#server/house/context.ts'
import type { Db } from '#server/house/db/pool.ts'
import type { MemberCaller } from '#server/house/http/caller.ts'
import { readBehind } from '#server/house/replica/read-behind.ts'
import { NEWEST, type PageCursor } from '../cursor.ts'
import { exportSemaphoreOf, MOST_READINGS } from '../export-semaphore.ts'
import { firstPlace, MOST_SCANNED, type PastFilter, readWanted, SCANNED_AT_ONCE } from '../page-of-past.ts'
import { findSpanEnd, type HistorySpan, type PastTotals, sumPast } from '../queries.ts'

/**
 * GET /api/v1/history/totals: sums the newest purchases that match the filter, of each mode at most `MOST_SCANNED`. The
 * sum is made in steps, as pages are, so that others get their turn and no statement takes long.
 */
export async function readTotals(
  ctx: Context,
  caller: MemberCaller,
  filter: PastFilter,
): Promise<{ status: true; data: HistoryTotals }> {
  const { userId, currency } = caller.member
  const semaphore = exportSemaphoreOf(ctx, 'totals')
  const end = semaphore.begin(userId, MOST_READINGS)
  const inTurn: InTurn = (read) => semaphore.run(() => readBehind(ctx, caller, read))
  const totals = await sumModes(ctx, { userId, filter }, inTurn).finally(end)
  const [codes, ended] = [Number(totals.codes), Number(totals.ended)]
  return {
    status: true,
    data: {
      currency,
      purchases: Number(totals.purchases),
      spent: toDecimal(totals.spent_micros),
      set_aside: toDecimal(totals.set_aside_micros),
      returned: toDecimal(totals.returned_micros),
      codes,
      ended,
      success_share: ended === 0 ? null : Math.round((codes / ended) * 1000) / 1000,
      is_cut: totals.isCut,
    },
  }
}

type InTurn = <Read>(read: (db: Db) => Promise<Read>) => Promise<Read>

const NOTHING: PastTotals = {
  purchases: 0n,
  spent_micros: 0n,
  set_aside_micros: 0n,
  returned_micros: 0n,
  codes: 0n,
  ended: 0n,
}

async function sumModes(
  ctx: Context,
  { userId, filter }: { userId: number; filter: PastFilter },
  inTurn: InTurn,
): Promise<PastTotals & { isCut: boolean }> {
  // A purchase that is made meanwhile would shift the steps, so the sum ends before the next millisecond.
  const next = new Date(ctx.clock.now().getTime() + 1)
  const { beginsAt, endsAt: wantedEnd, ...wanted } = await inTurn((db) => readWanted(ctx, db, { userId, filter }))
  const endsAt = wantedEnd === null || wantedEnd > next ? next : wantedEnd
  const totals = { ...NOTHING, isCut: false }
  for (const mode of filter.mode === undefined ? HISTORY_MODES : [filter.mode]) {
    let after: PageCursor | null = firstPlace({ endsAt }, NEWEST)
    for (let scanned = 0; after !== null && scanned < MOST_SCANNED; scanned += SCANNED_AT_ONCE) {
      const span: HistorySpan = { userId, after, beginsAt, scanned: SCANNED_AT_ONCE }
      const [part, end] = await inTurn(async (db) => [
        await sumPast(db, mode, { span, wanted: { ...wanted, limit: SCANNED_AT_ONCE } }),
        await findSpanEnd(db, mode, span),
      ])
      for (const name of SUMS) totals[name] += part[name]
      after = end
    }
    totals.isCut ||= after !== null
  }
  return totals
}

const SUMS = Object.keys(NOTHING) as (keyof PastTotals)[]
