import { userChannel } from '#contract/live-events.ts'
import { type Currency, toDecimal } from '#contract/money.ts'
import { webhookPostOf } from '#server/core/webhooks/sending/post.ts'
import type { Context } from '#server/house/context.ts'
import type { Settled } from './settle-payment.ts'

/** Announces a payment to the payer's open tabs after the commit. A failure loses nothing, because pages refetch. */
export function announcePayment(ctx: Context, { row, hasChanged, availableMicros, hasMoved }: Settled): void {
  webhookPostOf(ctx).wake()
  const channel = userChannel(row.user_id)
  if (!ctx.realtime.hasListeners(channel)) return
  const { currency, state, transaction_id } = row
  const balance = toDecimal(availableMicros)
  const isPaid = hasMoved && (state === 'paid' || state === 'partial')
  if (isPaid) ctx.realtime.publish(channel, 'BalanceTopup', { balance, currency })
  else if (hasMoved || hasChanged || row.confirmations !== null) {
    ctx.realtime.publish(channel, 'PaymentChanged', { transaction_id, state, balance, currency })
  }
}

/** Announces a balance change without a payment to the user's open tabs, which refetch their data. */
export function announceBalance(
  ctx: Context,
  { userId, currency, availableMicros }: { userId: number; currency: Currency; availableMicros: bigint },
): void {
  const channel = userChannel(userId)
  if (!ctx.realtime.hasListeners(channel)) return
  ctx.realtime.publish(channel, 'BalanceTopup', { balance: toDecimal(availableMicros), currency })
}
