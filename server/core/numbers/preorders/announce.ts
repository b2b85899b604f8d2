import { DEFAULT_LIVE_LOCALE } from '#contract/constants.ts'
import { userChannel } from '#contract/live-events.ts'
import { toDecimal } from '#contract/money.ts'
import { kindNames } from '#server/core/numbers/listing/kind-record.ts'
import { wakeWebhooks } from '#server/core/webhooks/sending/wake-webhooks.ts'
import type { Context } from '#server/house/context.ts'
import { findAccount } from '#server/house/money/accounts.ts'
import { tellUser } from '#server/house/news/tell.ts'
import type { PreorderRow } from './queries/row.ts'
import { toRecord } from './record.ts'

/** Notifies the buyer's tabs of a committed change of a pre-order. Only logs a failure, because pages refetch. */
export async function announcePreorder(ctx: Context, row: PreorderRow): Promise<void> {
  tellUser(ctx, row.user_id, { kind: 'preorder', id: row.id.toString() })
  wakeWebhooks(ctx)
  return showPreorder(ctx, row)
}

/** Notifies the tabs of this node alone. */
export async function showPreorder(ctx: Context, row: PreorderRow): Promise<void> {
  const channel = userChannel(row.user_id)
  if (!ctx.realtime.hasListeners(channel)) return
  try {
    const account = await findAccount(ctx.db, row.user_id)
    ctx.realtime.publish(channel, 'PreorderChanged', {
      record: toRecord(ctx, row, DEFAULT_LIVE_LOCALE),
      names: kindNames(ctx, row),
      balance: account === null ? null : toDecimal(account.availableMicros),
    })
  } catch (error) {
    ctx.log.warn({ error, preorderId: row.id.toString() }, 'a change of a pre-order could not be announced')
  }
}
