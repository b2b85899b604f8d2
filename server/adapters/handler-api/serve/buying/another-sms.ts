import type { ActivationRow } from '#server/core/numbers/activations/queries/row.ts'
import { suppliersOf } from '#server/core/suppliers/running-suppliers.ts'
import type { Context } from '#server/house/context.ts'

/** Returns true if the number can get further codes. It cannot after its end, or if its supplier is gone. */
export function canGetAnotherSms(ctx: Context, row: ActivationRow): boolean {
  return suppliersOf(ctx).get(row.supplier_id) !== undefined
}
