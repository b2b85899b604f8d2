import { MINUTE, SECOND } from '#contract/time.ts'
import type { Context } from '#server/context.ts'
import { transaction } from '#server/db/transaction.ts'
import { collectDebt } from '#server/money/move-money.ts'
import { checkPayment } from './check-payment.ts'
import { processStored } from './events/take-event.ts'
import { listStoredEvents } from './queries/events.ts'
import { listDebtors } from './queries/money.ts'
import { listDuePayments, postponeCheck } from './queries/payments.ts'

const BATCH = 50
/** A gateway that hangs delays only its own payments. */
const AT_ONCE = 8
/** What has just come is being processed by whoever took it. */
const EVENT_AGE_MS = 5 * SECOND
/** Held off while it is checked, so that the next run does not take it too. */
const CHECK_LEASE_MS = MINUTE

/** Finds what no webhook told of. Runs every few seconds, never twice at once. */
export async function reconcilePayments(ctx: Context): Promise<void> {
  const now = ctx.clock.now()
  const before = new Date(now.getTime() - EVENT_AGE_MS)
  const events = await listStoredEvents(ctx.db, { before, limit: BATCH })
  await each(ctx, events, (event) => processStored(ctx, event))
  const due = await listDuePayments(ctx.db, { now, limit: BATCH })
  await each(ctx, due, async (id) => {
    await postponeCheck(ctx.db, { id, nextCheckAt: new Date(now.getTime() + CHECK_LEASE_MS) })
    await checkPayment(ctx, id)
  })
  const debtors = await listDebtors(ctx.db, BATCH)
  await each(ctx, debtors, (userId) => transaction(ctx.db, (tx) => collectDebt(tx, { userId, at: now })))
}

/** One that fails is logged, and the others go on. */
async function each<T>(ctx: Context, items: readonly T[], work: (item: T) => Promise<unknown>): Promise<void> {
  const queue = items.values()
  const worker = async () => {
    // All workers share the iterator.
    for (const item of queue) {
      try {
        await work(item)
      } catch (error) {
        ctx.log.warn({ error }, 'a payment could not be reconciled')
      }
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, worker))
}
