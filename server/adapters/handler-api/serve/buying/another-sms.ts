import type { ActivationRow } from '#server/core/numbers/activations/queries/row.ts'
import { suppliersOf } from '#server/core/suppliers/running-suppliers.ts'
import type { Context } from '#server/house/context.ts'

/**
 * Returns true if the number can get further codes. It can until its end, unless its supplier is gone. The supplier may
 * still refuse (BAD_STATUS).
 */
export function canGetAnotherSms(ctx: Context, row: ActivationRow): boolean {
  return suppliersOf(ctx).get(row.supplier_id) !== undefined
}
