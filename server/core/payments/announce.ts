import { userChannel } from '#contract/live-events.ts'
import { toDecimal } from '#contract/money.ts'
import { wakeWebhooks } from '#server/core/webhooks/sending/wake-webhooks.ts'
import type { Context } from '#server/house/context.ts'
import { type Account, findAccount } from '#server/house/money/accounts.ts'
import { tellUser } from '#server/house/news/tell.ts'
import type { Settled } from './settle-payment.ts'

/** Announces a payment to the payer's open tabs after the commit. A failure loses nothing, because pages refetch. */
export function announcePayment(ctx: Context, { row, hasChanged, availableMicros, hasMoved }: Settled): void {
  wakeWebhooks(ctx)
  if (!hasMoved && !hasChanged && row.confirmations === null) return
  tellUser(ctx, row.user_id, { kind: 'payment', id: row.id.toString(), hasMoved })
  showPayment(ctx, { row, availableMicros, hasMoved })
}

/** Shows a payment to the tabs of this node alone. */
export function showPayment(
  ctx: Context,
  { row, availableMicros, hasMoved }: Pick<Settled, 'row' | 'availableMicros' | 'hasMoved'>,
): void {
  const channel = userChannel(row.user_id)
  const { currency, state, transaction_id } = row
  const balance = toDecimal(availableMicros)
  const isPaid = hasMoved && (state === 'paid' || state === 'partial')
  if (isPaid) ctx.realtime.publish(channel, 'BalanceTopup', { balance, currency })
  else ctx.realtime.publish(channel, 'PaymentChanged', { transaction_id, state, balance, currency })
}

/** Announces a balance change without a payment to the user's open tabs, which refetch their data. */
export function announceBalance(ctx: Context, { userId, ...balance }: Balance & { userId: number }): void {
  tellUser(ctx, userId, { kind: 'balance' })
  publishBalance(ctx, userId, balance)
}

/** Reads the balance and shows it to the tabs of this node alone. */
export async function showBalance(ctx: Context, userId: number): Promise<void> {
  const account = ctx.realtime.hasListeners(userChannel(userId)) ? await findAccount(ctx.db, userId) : null
  if (account !== null) publishBalance(ctx, userId, account)
}

type Balance = Pick<Account, 'currency' | 'availableMicros'>

function publishBalance(ctx: Context, userId: number, { currency, availableMicros }: Balance): void {
  ctx.realtime.publish(userChannel(userId), 'BalanceTopup', { balance: toDecimal(availableMicros), currency })
}
