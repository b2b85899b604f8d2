import type { Context } from '#server/context.ts'
import type { ActivationRow } from '#server/numbers/activations/queries/row.ts'

/**
 * Whether status 3 can work: a number listens until its time is over, in every country, so that only a supplier who is
 * not with us any more stands in the way. One that still says no when it is asked is BAD_STATUS then.
 */
export function canGetAnotherSms(ctx: Context, row: ActivationRow): boolean {
  return ctx.suppliers.get(row.supplier_id) !== undefined
}
