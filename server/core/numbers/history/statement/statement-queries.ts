import type { Currency } from '#contract/money.ts'
import type { StepKind } from '#contract/past/entries.ts'
import type { Db } from '#server/house/db/pool.ts'
import { deltaByKind } from '#server/house/money/movement-kinds.ts'

/**
 * A sum of transfers. The books hold a debt as a negative balance of `debt`, so a debt grows by the money that leaves
 * that account.
 */
export type SummedRow = {
  currency: Currency
  available_now: bigint
  held_now: bigint
  debt_now: bigint
} & (
  | { kind: null; is_after: null }
  | {
      kind: StepKind
      is_after: boolean
      count: bigint
      amount_micros: bigint
      available_delta: bigint
      held_delta: bigint
      debt_delta: bigint
    }
)

/** Sums by kind, in one snapshot, the transfers with an id above `afterId` that were made since `beginsAt`. */
export async function sumMoved(
  db: Db,
  input: { userId: number; afterId: bigint; beginsAt: Date | null; endsAt: Date | null },
): Promise<SummedRow[]> {
  const { rows } = await db.query<SummedRow>({
    name: 'statement-sums',
    text: `SELECT a.currency, a.available_micros AS available_now, a.held_micros AS held_now, a.debt_micros AS debt_now,
        moved.*
      FROM accounts a LEFT JOIN LATERAL (
        SELECT kind, COALESCE(at >= $endsAt::timestamptz, false) AS is_after, count(*) AS count, sum(amount_micros)::bigint AS amount_micros,
          sum(${deltaByKind('available')})::bigint AS available_delta, sum(${deltaByKind('held')})::bigint AS held_delta,
          sum(${deltaByKind('debt')})::bigint AS debt_delta
        FROM transfers WHERE user_id = a.user_id AND id > $afterId AND ($beginsAt::timestamptz IS NULL OR at >= $beginsAt) GROUP BY kind, is_after
      ) moved ON true
      WHERE a.user_id = $userId ORDER BY moved.kind`,
    values: input,
  })
  return rows
}
