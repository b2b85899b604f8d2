import type { Locale } from '#contract/constants.ts'
import { toDecimal } from '#contract/money.ts'
import type { HistoryItem, HistoryReply } from '#contract/past/history.ts'
import { canRepeat } from '#server/core/numbers/activations/can-repeat.ts'
import { kindRecord } from '#server/core/numbers/listing/kind-record.ts'
import type { Context } from '#server/house/context.ts'
import type { MemberCaller } from '#server/house/http/caller.ts'
import { readBehind } from '#server/house/replica/read-behind.ts'
import { readCursor, toCursor } from './cursor.ts'
import { type PastFilter, pageOfPast } from './page-of-past.ts'
import type { HistoryRow } from './queries.ts'

export async function listHistory(
  ctx: Context,
  caller: MemberCaller,
  filter: PastFilter & { cursor?: string | undefined; per_page: number },
): Promise<HistoryReply> {
  const wanted = {
    userId: caller.member.userId,
    filter,
    after: readCursor(filter.cursor),
    limit: filter.per_page,
  }
  const { rows, next } = await readBehind(ctx, caller, (db) => pageOfPast(ctx, db, wanted))
  return {
    status: true,
    history: {
      data: rows.map((row) => toItem(ctx, row, caller.locale)),
      meta: { next_cursor: next === null ? null : toCursor(next) },
    },
  }
}

function toItem(ctx: Context, row: HistoryRow, locale: Locale): HistoryItem {
  return {
    id: Number(row.id),
    mode: row.mode,
    state: row.state,
    outcome: row.outcome,
    ...kindRecord(ctx, row, locale),
    operator: row.operator,
    phone: row.phone,
    price: toDecimal(row.price_micros),
    paid: toDecimal(row.paid_micros),
    refunded: row.refunded_micros > 0n ? toDecimal(row.refunded_micros) : null,
    money: row.money,
    currency: row.currency,
    hours: row.hours,
    code: row.code,
    messages_count: row.sms_count,
    can_repeat: isRepeatable(ctx, row),
    created_at: row.created_at.toISOString(),
    ended_at: row.ended_at?.toISOString() ?? null,
  }
}

function isRepeatable(ctx: Context, row: HistoryRow): boolean {
  if (row.mode !== 'activation' || row.state !== 'finished') return false
  return canRepeat(ctx, { ...row, state: row.state })
}
