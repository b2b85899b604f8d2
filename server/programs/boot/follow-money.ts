import { showAttached } from '#server/core/numbers/delivery/attach-message.ts'
import { readOrderSubject, showRefund } from '#server/core/numbers/refunds/announce-refund.ts'
import { showBalance } from '#server/core/payments/announce.ts'
import type { Context } from '#server/house/context.ts'
import type { PeriodicTask } from '#server/house/jobs/periodic-tasks.ts'
import {
  ANY_CHANGE,
  auditIdOf,
  findNewestChange,
  listManualChanges,
  type ManualChange,
} from '#server/house/money/manual-changes.ts'

const BATCH = 100

type Following = (() => Promise<void>) & Pick<PeriodicTask, 'due' | 'values'>

/**
 * Returns a function that tells the open pages of this node what staff changed by CLI commands: balances, messages and
 * orders. Balance events carry the whole balance and may repeat.
 */
export async function followMoney(ctx: Context): Promise<Following> {
  let seen = await findNewestChange(ctx.db)
  const follow = async () => {
    for (;;) {
      const changes = await listManualChanges(ctx.db, { after: seen, limit: BATCH })
      for (const change of changes) logChange(ctx, change)
      const told = changes.flatMap(({ tells }) => tells ?? [])
      for (const userId of new Set(told.flatMap(({ balancesOf = [] }) => balancesOf))) await showBalance(ctx, userId)
      for (const { message } of told) if (message !== undefined) await showAttached(ctx, BigInt(message))
      for (const order of told.flatMap(({ orders = [] }) => orders)) await showOrder(ctx, order)
      seen = changes.at(-1)?.id ?? seen
      if (changes.length < BATCH) return
    }
  }
  return Object.assign(follow, { due: ANY_CHANGE, values: () => ({ newestChange: seen }) })
}

function logChange(ctx: Context, { id, actor: by, command, subject, amount, currency }: ManualChange): void {
  const money = amount === null ? {} : { amount, currency }
  ctx.log.info({ requestId: auditIdOf(id), by, command, subject, ...money }, 'staff changed something')
}

async function showOrder(ctx: Context, told: string): Promise<void> {
  const order = readOrderSubject(told)
  if (order !== null) await showRefund(ctx, order)
}
