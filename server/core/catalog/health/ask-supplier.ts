import type { Supplier } from '#server/core/suppliers/supplier.ts'
import type { Context } from '#server/house/context.ts'
import { isDatabaseError } from '#server/house/db/constraint.ts'
import { withTimeout } from '#server/house/with-timeout.ts'
import type { SupplierCall } from './call-log.ts'
import { healthBookOf } from './health-book.ts'

/** Calls a supplier with a time-out, and counts the call with its duration. */
export async function askSupplier<T>(
  ctx: Context,
  { supplier, call, limitMs }: { supplier: Pick<Supplier, 'id' | 'sandbox'>; call: SupplierCall; limitMs: number },
  ask: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const beganAt = performance.now()
  const note = (failed: boolean) =>
    supplier.sandbox !== true &&
    healthBookOf(ctx).calls.note({
      supplierId: supplier.id,
      call,
      failed,
      tookMs: performance.now() - beganAt,
      now: ctx.clock.now(),
    })
  try {
    const answer = await withTimeout(limitMs, ask)
    note(false)
    return answer
  } catch (error) {
    if (!isOurFault(ctx, error)) note(true)
    throw error
  }
}

/** Returns true if an error comes from our own database, which a supplier of our own numbers queries. */
export function isOurFault(ctx: Context, error: unknown): boolean {
  return isDatabaseError(error) || ctx.db.outages.away
}
