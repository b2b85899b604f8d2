import type { Locale } from '#contract/constants.ts'
import { toDecimal } from '#contract/money.ts'
import type { PreorderRecord, PreorderState } from '#contract/preorder.ts'
import { kindRecord } from '#server/core/numbers/listing/kind-record.ts'
import type { Context } from '#server/house/context.ts'
import type { PreorderRow } from './queries/row.ts'

export function toRecord(ctx: Context, row: PreorderRow, locale: Locale): PreorderRecord {
  return {
    id: Number(row.id),
    state: row.state,
    final: isFinal(row.state),
    ...kindRecord(ctx, row, locale),
    operator: row.operator_wanted,
    max_price: toDecimal(row.max_price_micros),
    currency: row.currency,
    activation_id: row.state === 'bought' ? Number(row.activation_id) : null,
    created_at: row.created_at.toISOString(),
    deadline_at: row.deadline_at.toISOString(),
  }
}

function isFinal(state: PreorderState): boolean {
  return state !== 'waiting' && state !== 'buying'
}
