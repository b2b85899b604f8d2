import type { ActivationRow } from '#server/core/numbers/activations/queries/row.ts'
import { suppliersOf } from '#server/core/suppliers/running-suppliers.ts'
import type { Context } from '#server/house/context.ts'

/** A number takes further codes until its end, unless its supplier is gone or refuses (BAD_STATUS). */
export function canGetAnotherSms(ctx: Context, row: ActivationRow): boolean {
  return suppliersOf(ctx).get(row.supplier_id) !== undefined
}
