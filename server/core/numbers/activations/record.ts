import type { ActivationRecord } from '#contract/activation.ts'
import type { Locale } from '#contract/constants.ts'
import { toDecimal } from '#contract/money.ts'
import { kindRecord } from '#server/core/numbers/listing/kind-record.ts'
import { foldedRecord, MESSAGES_SHOWN, toMessageRecord } from '#server/core/numbers/listing/message-record.ts'
import { countFolded } from '#server/core/numbers/listing/queries/folded.ts'
import { listMessages, type MessageRow } from '#server/core/numbers/listing/queries/messages.ts'
import { listRefunded } from '#server/core/numbers/listing/queries/refunded.ts'
import { refundedRecord } from '#server/core/numbers/listing/refunded-record.ts'
import type { Context } from '#server/house/context.ts'
import { sandboxMark } from '#server/house/sandbox.ts'
import { canRepeat } from './can-repeat.ts'
import type { ActivationRow, ShownActivation } from './queries/row.ts'
import { cancelFrom, isFinal } from './state.ts'

export async function toRecords(ctx: Context, rows: ActivationRow[], locale: Locale): Promise<ActivationRecord[]> {
  const kept = rows.filter((row) => row.money === 'captured' && isFinal(row.state)).map(({ id }) => id)
  const [messages, refunded, folded] = await Promise.all([
    listMessages(ctx.db, 'activation', { numbers: rows, perNumber: MESSAGES_SHOWN, closed: true }),
    listRefunded(ctx.db, 'activation', kept),
    countFolded(ctx.db, 'activation', rows),
  ])
  return rows.map((row) => ({
    ...toRecord(ctx, row, { locale, messages: messages.get(row.id) ?? [], canRepeat: canRepeat(ctx, row) }),
    ...refundedRecord(refunded.get(row.id)),
    ...foldedRecord(folded.get(row.id)),
  }))
}

export function toRecord(
  ctx: Context,
  row: ShownActivation,
  shown: { locale: Locale; messages: MessageRow[]; canRepeat: boolean },
): ActivationRecord {
  return {
    id: Number(row.id),
    state: row.state,
    final: isFinal(row.state),
    ...kindRecord(ctx, row, shown.locale),
    operator: row.operator,
    phone: row.phone,
    price: toDecimal(row.price_micros),
    currency: row.currency,
    money: row.money,
    code: row.code,
    messages: shown.messages.map(toMessageRecord),
    created_at: row.created_at.toISOString(),
    expires_at: row.expires_at.toISOString(),
    cancel_from: cancelFrom(row.created_at, ctx.config.earlyCancelSeconds).toISOString(),
    can_repeat: shown.canRepeat,
    ...sandboxMark(ctx),
  }
}
