import type { Locale } from '#contract/constants.ts'
import { toDecimal } from '#contract/money.ts'
import type { RentalRecord } from '#contract/rental.ts'
import type { Context } from '#server/context.ts'
import { toMessageRecord } from '#server/features/activations/record.ts'
import { kindRecord } from '#server/features/numbers/kind-record.ts'
import { listRentalMessages, type RentalMessageRow } from './queries/read.ts'
import type { RentalRow } from './queries/row.ts'
import { isFinal, moneyOf } from './state.ts'

/** Messages shown with one rental; older ones are in its history. */
const MESSAGES_SHOWN = 50

/** Rows as the page and programs see them, each with its messages, newest first. */
export async function toRentalRecords(ctx: Context, rows: RentalRow[], locale: Locale): Promise<RentalRecord[]> {
  const rentalIds = rows.filter((row) => row.sms_count > 0).map((row) => row.id)
  const messages = await listRentalMessages(ctx.db, { rentalIds, perRental: MESSAGES_SHOWN })
  const byRental = Map.groupBy(messages, (message) => message.rental_id)
  return rows.map((row) => toRecord(ctx, row, { locale, messages: byRental.get(row.id) ?? [] }))
}

function toRecord(ctx: Context, row: RentalRow, shown: { locale: Locale; messages: RentalMessageRow[] }): RentalRecord {
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
  }
}
