import { DEFAULT_LIVE_LOCALE } from '#contract/constants.ts'
import { userChannel } from '#contract/live-events.ts'
import { toDecimal } from '#contract/money.ts'
import { kindNames } from '#server/core/numbers/listing/kind-record.ts'
import { foldedRecord, MESSAGES_SHOWN, toMessageRecord } from '#server/core/numbers/listing/message-record.ts'
import { countFolded } from '#server/core/numbers/listing/queries/folded.ts'
import { listMessages, type MessageRow } from '#server/core/numbers/listing/queries/messages.ts'
import { wakeWebhooks } from '#server/core/webhooks/sending/wake-webhooks.ts'
import type { Context } from '#server/house/context.ts'
import { findAccount } from '#server/house/money/accounts.ts'
import { tellUser } from '#server/house/news/tell.ts'
import { contextOfOrder } from '#server/house/sandbox.ts'
import { findAnyActivation } from './queries/read.ts'
import type { ActivationRow, ShownActivation } from './queries/row.ts'
import type { ToldActivation } from './queries/sms.ts'
import { toRecord, toRecords } from './record.ts'
import { wakeWaiting } from './wait-for-code.ts'

/** Notifies the buyer's tabs and waiting calls that an activation has changed. Only logs failures: pages refetch. */
export async function announceChange(given: Context, row: ActivationRow): Promise<void> {
  tellUser(given, row.user_id, { kind: 'activation', id: row.id.toString() })
  if (row.ended_at !== null) wakeWebhooks(given)
  return showChange(given, row)
}

/** Notifies the tabs and calls of this node alone. */
export async function showChange(given: Context, row: ActivationRow): Promise<void> {
  const ctx = contextOfOrder(given, row.supplier_id)
  wakeWaiting(ctx, row.id)
  const channel = userChannel(row.user_id)
  if (!ctx.realtime.hasListeners(channel)) return
  try {
    const [record] = await toRecords(ctx, [row], DEFAULT_LIVE_LOCALE)
    const account = row.money === 'captured' ? null : await findAccount(ctx.db, row.user_id)
    if (record === undefined) return
    const balance = account === null ? null : toDecimal(account.availableMicros)
    ctx.realtime.publish(channel, 'ActivationChanged', { record, names: kindNames(ctx, row), balance })
  } catch (error) {
    ctx.log.warn({ error, activationId: row.id.toString() }, 'a change could not be announced')
  }
}

/** Tells the buyer's page that a closed notice (a message not yet paid for) came, without the notice's text. */
export async function announceNotice(ctx: Context, activationId: bigint): Promise<void> {
  const row = await findAnyActivation(ctx.db, activationId)
  if (row !== null) await announceChange(ctx, row)
}

export async function announceSms(ctx: Context, row: ToldActivation, message: MessageRow): Promise<void> {
  tellUser(ctx, row.user_id, { kind: 'message', id: message.id.toString() })
  if (row.hooked === true) wakeWebhooks(ctx)
  return showSms(ctx, row, message)
}

/** Notifies the tabs and calls of this node alone. */
export async function showSms(ctx: Context, row: ShownActivation, message: MessageRow): Promise<void> {
  wakeWaiting(ctx, row.id)
  const channel = userChannel(row.user_id)
  if (!ctx.realtime.hasListeners(channel)) return
  try {
    const isFirst = row.sms_count === 1 && row.notice_at === null
    const messages = isFirst ? [message] : await listNewest(ctx, row)
    const folded = isFirst ? undefined : (await countFolded(ctx.db, 'activation', [row])).get(row.id)
    ctx.realtime.publish(channel, 'NewCode', {
      kind: 'activation',
      record: {
        ...toRecord(ctx, row, { locale: DEFAULT_LIVE_LOCALE, messages, canRepeat: false }),
        ...foldedRecord(folded),
      },
      names: kindNames(ctx, row),
      message: toMessageRecord(message),
    })
  } catch (error) {
    ctx.log.warn({ error, activationId: row.id.toString() }, 'a message could not be announced')
  }
}

async function listNewest(ctx: Context, row: ShownActivation): Promise<MessageRow[]> {
  const messages = await listMessages(ctx.db, 'activation', { numbers: [row], perNumber: MESSAGES_SHOWN })
  return messages.get(row.id) ?? []
}
