import { MINUTE, SECOND } from '#contract/time.ts'
import type { Context } from '#server/house/context.ts'
import { transaction } from '#server/house/db/transaction.ts'
import { perContext } from '#server/house/memory.ts'
import { collectDebt } from '#server/house/money/move-money.ts'
import { checkPayment } from './check-payment.ts'
import { processStored } from './events/take-event.ts'
import { listStoredEvents } from './queries/events.ts'
import { listDebtors } from './queries/money.ts'
import { leaseCheck, listDuePayments } from './queries/payments.ts'
import { queueForgottenRefunds } from './queries/refunds.ts'

const BATCH = 50
const AT_ONCE = 8
/** The minimum age of a webhook, because the process that received it tries to settle it first. */
const EVENT_AGE_MS = 5 * SECOND
/** A payment is leased while it is checked, so that the next run does not check it too. */
const CHECK_LEASE_MS = MINUTE
/** A gateway that takes this long to fail counts as hanging; its other payments are skipped for a while. */
const HANGS_FROM_MS = 5 * SECOND
const HANGING_REST_MS = 30 * SECOND

const restingOf = perContext(
  'gateways that hang',
  { scope: 'process', nodes: 'leased', lost: 'nothing: they are asked, and hang again' },
  () => new Map<number, number>(),
)

/** Finds changes that no webhook reported. Runs every few seconds, never twice concurrently. */
export async function reconcilePayments(ctx: Context): Promise<void> {
  const now = ctx.clock.now()
  const before = new Date(now.getTime() - EVENT_AGE_MS)
  const events = await listStoredEvents(ctx.db, { before, limit: BATCH })
  await each(ctx, events, (event) => processStored(ctx, event))
  await queueForgottenRefunds(ctx.db, BATCH)
  const debtors = await listDebtors(ctx.db, BATCH)
  await each(ctx, debtors, (userId) => transaction(ctx.db, (tx) => collectDebt(tx, { userId, at: now })))
  const due = await listDuePayments(ctx.db, { now, limit: BATCH })
  // Each gateway has its own workers, so that a hanging gateway does not delay the payments of others.
  const byGateway = Map.groupBy(due, ({ gateway_id: gatewayId }) => gatewayId)
  await Promise.all([...byGateway].map(([gatewayId, payments]) => askGateway(ctx, gatewayId, payments)))
}

async function askGateway(ctx: Context, gatewayId: number, payments: readonly { id: bigint }[]): Promise<void> {
  await each(ctx, payments, async ({ id }) => {
    const began = ctx.clock.now().getTime()
    if (began < (restingOf(ctx).get(gatewayId) ?? 0)) return
    await leaseCheck(ctx.db, { id, nextCheckAt: new Date(began + CHECK_LEASE_MS) })
    try {
      await checkPayment(ctx, id)
    } catch (error) {
      const now = ctx.clock.now().getTime()
      if (now - began >= HANGS_FROM_MS) restingOf(ctx).set(gatewayId, now + HANGING_REST_MS)
      throw error
    }
  })
}

async function each<T>(ctx: Context, items: readonly T[], work: (item: T) => Promise<unknown>): Promise<void> {
  const queue = items.values()
  const worker = async () => {
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
