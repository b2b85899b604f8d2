import { userChannel } from '#contract/live-events.ts'
import { toDecimal } from '#contract/money.ts'
import type { Context } from '#server/house/context.ts'
import type { WithdrawalRow } from './queries/withdrawals.ts'

/** Notifies the open tabs; call it after the commit. A failure loses nothing, because pages refetch. */
export function announceWithdrawal(
  ctx: Context,
  { row, balanceMicros }: { row: WithdrawalRow; balanceMicros: bigint },
): void {
  const channel = userChannel(row.user_id)
  if (!ctx.realtime.hasListeners(channel)) return
  ctx.realtime.publish(channel, 'BalanceTopup', { balance: toDecimal(balanceMicros), currency: row.currency })
}
