import { DEFAULT_LIVE_LOCALE } from '#contract/constants.ts'
import { userChannel } from '#contract/live-events.ts'
import { toDecimal } from '#contract/money.ts'
import type { Context } from '#server/context.ts'
import { findAccount } from '#server/money/accounts.ts'
import { kindNames } from '#server/numbers/listing/kind-record.ts'
import type { PreorderRow } from './queries/row.ts'
import { toRecord } from './record.ts'

/**
 * Tells every open tab of the buyer that a pre-order changed. Called after the commit; a failure here loses nothing,
 * because pages refetch, so it is logged and swallowed.
 */
export async function announcePreorder(ctx: Context, row: PreorderRow): Promise<void> {
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
