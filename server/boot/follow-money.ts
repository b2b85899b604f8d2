import { userChannel } from '#contract/live-events.ts'
import { toDecimal } from '#contract/money.ts'
import type { Context } from '#server/context.ts'
import { findAccount } from '#server/money/accounts.ts'
import { auditIdOf, type ChangeByHand, findNewestChange, listChangesByHand } from '#server/money/changes-by-hand.ts'
import { announceAttached } from '#server/numbers/delivery/attach-message.ts'

const BATCH = 100

/**
 * Returns a function to call each second: it tells open pages of money that the command line moved since the last call,
 * by the balance as it is now, and of messages it attached, so that telling it twice does no harm. What was moved before is not told: pages fetch it.
 */
export async function followMoney(ctx: Context): Promise<() => Promise<void>> {
  let seen = await findNewestChange(ctx.db)
  return async () => {
    for (;;) {
      const changes = await listChangesByHand(ctx.db, { after: seen, limit: BATCH })
      for (const change of changes) logChange(ctx, change)
      const paid = new Set(changes.map((change) => change.paid_user_id))
      for (const userId of paid) if (userId !== null) await announceBalance(ctx, userId)
      for (const { attached_message: id } of changes) if (id !== null) await announceAttached(ctx, id)
      seen = changes.at(-1)?.id ?? seen
      if (changes.length < BATCH) return
    }
  }
}

/** Top-ups, blocks and all else that the command line changed; its own reply carries the same id. */
function logChange(ctx: Context, { id, actor: by, command, subject, amount, currency }: ChangeByHand): void {
  const money = amount === null ? {} : { amount, currency }
  ctx.log.info({ requestId: auditIdOf(id), by, command, subject, ...money }, 'staff changed something')
}

async function announceBalance(ctx: Context, userId: number): Promise<void> {
  const channel = userChannel(userId)
  if (!ctx.realtime.hasListeners(channel)) return
  const account = await findAccount(ctx.db, userId)
  if (account === null) return
  const { availableMicros, currency } = account
  ctx.realtime.publish(channel, 'BalanceTopup', { balance: toDecimal(availableMicros), currency })
}
