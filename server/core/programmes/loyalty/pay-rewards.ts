import { MINUTE } from '#contract/time.ts'
import { announceBalance } from '#server/core/payments/announce.ts'
import type { Context } from '#server/house/context.ts'
import { transaction } from '#server/house/db/transaction.ts'
import { openPeriod } from './open-period.ts'
import {
  listDuePeriods,
  listPeriodsOf,
  listUncounted,
  listUncountedReversals,
  noteCounted,
  notePaid,
  type PeriodRow,
  reopenPeriods,
  type UncountedReversal,
} from './queries.ts'
import { type SettledReward, settleReward } from './settle-reward.ts'

/** The wait after the end of a period, by which a deposit begun just before the end is committed. */
export const SETTLED_AFTER_MS = 10 * MINUTE
const BATCH = 200
const MAX_BATCHES = 50
const PERIODS = 20

/**
 * Pays rewards of ended periods and recomputes them after reversals. Runs every minute; concurrent runs pay only once.
 */
export async function payRewards(ctx: Context): Promise<void> {
  await openPeriod(ctx)
  const endedBefore = new Date(ctx.clock.now().getTime() - SETTLED_AFTER_MS)
  await reopenPeriods(ctx.db, { endedBefore })
  for (const period of await listDuePeriods(ctx.db, { endedBefore, limit: PERIODS })) await payPeriod(ctx, period)
  for (const reversal of await listUncountedReversals(ctx.db, BATCH)) {
    await logged(ctx, () => countReversal(ctx, { reversal, endedBefore }))
  }
}

/** Settles each user in a separate transaction. A failure is retried by the next run and keeps the period open. */
async function payPeriod(ctx: Context, period: PeriodRow): Promise<void> {
  let after = 0
  let failed = 0
  for (let batch = 0; batch < MAX_BATCHES; batch += 1) {
    const userIds = await listUncounted(ctx.db, { periodId: period.id, bounds: period, after, limit: BATCH })
    for (const userId of userIds) {
      const isDone = await logged(ctx, async () => {
        const now = ctx.clock.now()
        const settled = await transaction(ctx.db, (tx) => settleReward(tx, { userId, period, now }))
        if (settled !== null) announceBalance(ctx, settled)
      })
      if (!isDone) failed += 1
    }
    if (userIds.length < BATCH) {
      if (failed === 0) await notePaid(ctx.db, { id: period.id, now: ctx.clock.now() })
      return
    }
    after = userIds.at(-1) ?? after
  }
}

/** Recomputes rewards after a reversal, however late, because a reward depends on what remains of the top-ups. */
async function countReversal(
  ctx: Context,
  { reversal, endedBefore }: { reversal: UncountedReversal; endedBefore: Date },
): Promise<void> {
  const { id, user_id: userId, payment_id: paymentId, state } = reversal
  const now = ctx.clock.now()
  const settled = await transaction(ctx.db, async (tx) => {
    let last: SettledReward | null = null
    for (const period of await listPeriodsOf(tx, { paymentId, endedBefore, limit: PERIODS })) {
      last = (await settleReward(tx, { userId, period, now })) ?? last
    }
    await noteCounted(tx, { id, state })
    return last
  })
  if (settled !== null) announceBalance(ctx, settled)
}

async function logged(ctx: Context, work: () => Promise<void>): Promise<boolean> {
  try {
    await work()
    return true
  } catch (error) {
    ctx.log.warn({ error }, 'a loyalty reward could not be settled')
    return false
  }
}
