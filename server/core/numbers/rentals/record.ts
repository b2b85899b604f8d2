import type { Locale } from '#contract/constants.ts'
import { toDecimal } from '#contract/money.ts'
import type { RentalRecord } from '#contract/rental.ts'
import { kindRecord } from '#server/core/numbers/listing/kind-record.ts'
import { foldedRecord, MESSAGES_SHOWN, toMessageRecord } from '#server/core/numbers/listing/message-record.ts'
import { countFolded } from '#server/core/numbers/listing/queries/folded.ts'
import { listMessages, type MessageRow } from '#server/core/numbers/listing/queries/messages.ts'
import { listRefunded } from '#server/core/numbers/listing/queries/refunded.ts'
import { refundedRecord } from '#server/core/numbers/listing/refunded-record.ts'
import type { Context } from '#server/house/context.ts'
import { sandboxMark } from '#server/house/sandbox.ts'
import type { RentalRow } from './queries/row.ts'
import { isFinal, moneyOf } from './state.ts'

export async function toRentalRecords(ctx: Context, rows: RentalRow[], locale: Locale): Promise<RentalRecord[]> {
  const kept = rows.filter((row) => row.captured_at !== null).map(({ id }) => id)
  const [messages, refunded, folded] = await Promise.all([
    listMessages(ctx.db, 'rental', { numbers: rows, perNumber: MESSAGES_SHOWN }),
    listRefunded(ctx.db, 'rental', kept),
    countFolded(ctx.db, 'rental', rows),
  ])
  return rows.map((row) => ({
    ...toRecord(ctx, row, { locale, messages: messages.get(row.id) ?? [] }),
    ...refundedRecord(refunded.get(row.id)),
    ...foldedRecord(folded.get(row.id)),
  }))
}

function toRecord(ctx: Context, row: RentalRow, shown: { locale: Locale; messages: MessageRow[] }): RentalRecord {
  const money = moneyOf(row)
  return {
    id: Number(row.id),
    state: row.state,
    final: isFinal(row.state),
    ...kindRecord(ctx, row, shown.locale),
    operator: row.operator,
    phone: row.phone,
    price: toDecimal(row.price_micros),
    currency: row.currency,
    hours: row.hours,
    money,
    code: row.code,
    messages: shown.messages.map(toMessageRecord),
    messages_count: row.sms_count,
    created_at: row.created_at.toISOString(),
    expired_date: row.expires_at.toISOString(),
    cancel_until: row.state === 'active' && money === 'held' ? row.cancel_until.toISOString() : null,
    expiring: row.state === 'active' && row.warned_at !== null,
    ...sandboxMark(ctx),
  }
}
