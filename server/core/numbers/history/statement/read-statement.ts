import { toDecimal } from '#contract/money.ts'
import type { Statement, StatementFilter, StatementReply } from '#contract/past/history.ts'
import type { Context } from '#server/house/context.ts'
import type { Db } from '#server/house/db/pool.ts'
import type { MemberCaller } from '#server/house/http/caller.ts'
import { localTime, OPEN_DAYS, readDays } from '#server/house/http/local-days.ts'
import { readBehind } from '#server/house/replica/read-behind.ts'
import { exportSemaphoreOf, MOST_READINGS } from '../export-semaphore.ts'
import { DISORDER_MS, findNewest } from '../movements-by-time.ts'
import { type SummedRow, sumMoved } from './statement-queries.ts'

/**
 * GET /api/v1/statement: returns opening and closing balances and the sums between them. Counts back from the current
 * balance, so the call reads all movements since `from`. Statements share a semaphore with the totals of the history,
 * because a page shows either. Throws TOO_MANY_REQUESTS above `MOST_READINGS` concurrent calls of a user.
 */
export async function readStatement(
  ctx: Context,
  caller: MemberCaller,
  filter: StatementFilter,
): Promise<StatementReply> {
  const { userId } = caller.member
  const days = readDays(localTime(filter.time_zone), filter, OPEN_DAYS)
  const beginsAt = filter.from === undefined ? null : days.beginsAt
  const endsAt = filter.to === undefined ? null : days.endsAt
  const semaphore = exportSemaphoreOf(ctx, 'totals')
  const end = semaphore.begin(userId, MOST_READINGS)
  try {
    const read = async (db: Db) => {
      const afterId = beginsAt === null ? 0n : await findLastBefore(db, userId, beginsAt)
      return sumMoved(db, { userId, afterId, beginsAt, endsAt })
    }
    const rows = await semaphore.run(() => readBehind(ctx, caller, read))
    return { status: true, data: { ...toStatement(rows), ...daysOf(filter), at: ctx.clock.now().toISOString() } }
  } finally {
    end()
  }
}

/** Returns an id such that every transfer made at `beginsAt` or later has a greater id. */
async function findLastBefore(db: Db, userId: number, beginsAt: Date): Promise<bigint> {
  const isBefore = (at: Date) => at.getTime() + DISORDER_MS < beginsAt.getTime()
  return (await findNewest(db, { userId, isBefore })) ?? 0n
}

type Moved = Extract<SummedRow, { is_after: boolean }>

function toStatement(rows: readonly SummedRow[]): Omit<Statement, 'from' | 'to' | 'at'> {
  const [first] = rows
  if (first === undefined) throw new Error('a member without an account')
  const moved = rows.filter((row): row is Moved => row.kind !== null)
  const inside = moved.filter((row) => !row.is_after)
  const sum = (of: readonly Moved[], name: 'available_delta' | 'held_delta' | 'debt_delta') =>
    of.reduce((total, row) => total + row[name], 0n)
  const standBefore = (of: readonly Moved[]) => ({
    available: toDecimal(first.available_now - sum(of, 'available_delta')),
    held: toDecimal(first.held_now - sum(of, 'held_delta')),
    debt: toDecimal(first.debt_now + sum(of, 'debt_delta')),
  })
  const charged = inside.find(({ kind }) => kind === 'capture')
  return {
    currency: first.currency,
    opening: standBefore(moved),
    closing: standBefore(moved.filter((row) => row.is_after)),
    sums: inside.flatMap(({ kind, count, available_delta: delta }) =>
      kind === 'capture' || delta === 0n
        ? []
        : [
            {
              kind,
              in: toDecimal(delta > 0n ? delta : 0n),
              out: toDecimal(delta < 0n ? -delta : 0n),
              count: Number(count),
            },
          ],
    ),
    charged: { amount: toDecimal(charged?.amount_micros ?? 0n), count: Number(charged?.count ?? 0n) },
  }
}

function daysOf({ from, to }: StatementFilter): Pick<Statement, 'from' | 'to'> {
  return { from: from ?? null, to: to ?? null }
}
