import type { Context } from '#server/house/context.ts'
import { transaction } from '#server/house/db/transaction.ts'
import { settledThrough } from '#server/house/money/checkpoints.ts'
import { countBack, countPaid, lockProgress, storeProgress } from './queries/count.ts'

const MOST_AT_ONCE = 50_000n

/**
 * Counts each transfer exactly once, because the mark moves in the same transaction. Locks no account. Payments while
 * the programme is closed bring no share.
 */
export async function countShares(ctx: Context): Promise<number> {
  const through = await settledThrough(ctx.db)
  // A long transaction is still writing, so the next run counts.
  if (through === null) return 0
  let counted = 0
  for (let isOver = false; !isOver; ) {
    const step = await transaction(ctx.db, async (tx) => {
      const after = await lockProgress(tx)
      if (after >= through) return { counted: 0, isOver: true }
      const until = through - after > MOST_AT_ONCE ? after + MOST_AT_ONCE : through
      const known = { after, through: until, now: ctx.clock.now() }
      const { percent, of, months, pendingDays } = ctx.config.programmes.referral
      const kind = of === 'spend' ? 'capture' : 'topup'
      const paid = percent === null ? 0 : await countPaid(tx, { ...known, kind, percent, months, pendingDays })
      const back = await countBack(tx, known)
      await storeProgress(tx, until)
      return { counted: paid + back, isOver: until === through }
    })
    counted += step.counted
    isOver = step.isOver
  }
  return counted
}
