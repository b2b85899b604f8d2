import type { Context } from '#server/context.ts'
import type { ActivationRow } from '#server/numbers/activations/queries/row.ts'
import { suppliersOf } from '#server/suppliers/registry.ts'

/** A number takes further codes until its end, unless its supplier is gone or refuses (BAD_STATUS). */
export function canGetAnotherSms(ctx: Context, row: ActivationRow): boolean {
  return suppliersOf(ctx).get(row.supplier_id) !== undefined
}
