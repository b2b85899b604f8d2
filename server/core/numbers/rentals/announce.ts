import { DEFAULT_LIVE_LOCALE } from '#contract/constants.ts'
import { userChannel } from '#contract/live-events.ts'
import { toDecimal } from '#contract/money.ts'
import { kindNames } from '#server/core/numbers/listing/kind-record.ts'
import { toMessageRecord } from '#server/core/numbers/listing/message-record.ts'
import type { MessageRow } from '#server/core/numbers/listing/queries/messages.ts'
import { wakeWebhooks } from '#server/core/webhooks/sending/wake-webhooks.ts'
import type { Context } from '#server/house/context.ts'
import { findAccount } from '#server/house/money/accounts.ts'
import { tellUser } from '#server/house/news/tell.ts'
import { contextOfOrder } from '#server/house/sandbox.ts'
import { findAnyRental } from './queries/read.ts'
import type { RentalRow } from './queries/row.ts'
import { toRentalRecords } from './record.ts'

/** Notifies the buyer's tabs of a changed rental and, if `paid`, of the balance. Only logs a failure. */
export async function announceRental(given: Context, row: RentalRow, input: { paid: boolean }): Promise<void> {
  const { paid } = input
  tellUser(given, row.user_id, { kind: 'rental', id: row.id.toString(), paid })
  wakeWebhooks(given)
  return showRental(given, row, input)
}

/** Notifies the tabs of this node alone. */
export async function showRental(given: Context, row: RentalRow, input: { paid: boolean }): Promise<void> {
  const ctx = contextOfOrder(given, row.supplier_id)
  const channel = userChannel(row.user_id)
  if (!ctx.realtime.hasListeners(channel)) return
  try {
    const [record] = await toRentalRecords(ctx, [row], DEFAULT_LIVE_LOCALE)
    const account = input.paid ? await findAccount(ctx.db, row.user_id) : null
    if (record === undefined) return
    const balance = account === null ? null : toDecimal(account.availableMicros)
    ctx.realtime.publish(channel, 'RentalChanged', { record, names: kindNames(ctx, row), balance })
  } catch (error) {
    ctx.log.warn({ error, rentalId: row.id.toString() }, 'a change could not be announced')
  }
}

export async function announceRentalSms(ctx: Context, rentalId: bigint, message: MessageRow) {
  wakeWebhooks(ctx)
  try {
    const row = await findAnyRental(ctx.db, rentalId)
    if (row === null) return
    tellUser(ctx, row.user_id, { kind: 'message', id: message.id.toString() })
    await showRentalSms(ctx, row, message)
  } catch (error) {
    ctx.log.warn({ error, rentalId: rentalId.toString() }, 'a message could not be announced')
  }
}

/** Notifies the tabs of this node alone. */
export async function showRentalSms(ctx: Context, row: RentalRow, message: MessageRow): Promise<void> {
  const channel = userChannel(row.user_id)
  if (!ctx.realtime.hasListeners(channel)) return
  const [record] = await toRentalRecords(contextOfOrder(ctx, row.supplier_id), [row], DEFAULT_LIVE_LOCALE)
  if (record === undefined) return
  const names = kindNames(ctx, row)
  ctx.realtime.publish(channel, 'NewCode', { kind: 'rental', record, names, message: toMessageRecord(message) })
}
