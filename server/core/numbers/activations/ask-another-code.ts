import { withinPlayRate } from '#server/core/numbers/limits/play-rate-limit.ts'
import { suppliersOf } from '#server/core/suppliers/running-suppliers.ts'
import { SUPPLIER_TIMEOUT_MS } from '#server/core/suppliers/supplier.ts'
import type { Context } from '#server/house/context.ts'
import { activationEnded, againUnavailable, noCodeYet } from '#server/house/errors/buying-errors.ts'
import { notFound, tooBusy } from '#server/house/errors/errors.ts'
import { withTimeout } from '#server/house/with-timeout.ts'
import { announceChange } from './announce.ts'
import { referenceOf } from './order.ts'
import { askAgain, takeBackAgain } from './queries/end.ts'
import { findActivation } from './queries/read.ts'
import type { ActivationRow } from './queries/row.ts'

/**
 * Requests another code for an activation, free of charge, until the number expires. Idempotent. The supplier is called
 * outside any transaction. Throws NOT_FOUND, NO_CODE_YET, AGAIN_UNAVAILABLE or ACTIVATION_ENDED; in the sandbox also
 * TOO_MANY_REQUESTS.
 */
export async function askForAnotherCode(
  ctx: Context,
  input: { activationId: number; userId: number },
): Promise<ActivationRow> {
  const query = { id: input.activationId, userId: input.userId }
  const found = await findActivation(ctx.db, query)
  if (found === null) throw notFound()
  if (found.state === 'waiting_again') return found
  if (found.state === 'waiting' || found.state === 'reserving') throw noCodeYet()
  if (found.state !== 'received') throw activationEnded()
  const asked = await withinPlayRate(ctx, { userId: input.userId, full: tooBusy }, () => ask(ctx, found.id))
  if (asked === null) {
    const current = await findActivation(ctx.db, query)
    if (current?.state === 'waiting_again') return current
    throw activationEnded()
  }
  ctx.background.run('announce', () => announceChange(ctx, asked))
  return asked
}

async function ask(ctx: Context, id: bigint): Promise<ActivationRow | null> {
  // The state changes before the supplier is called, so a code that the supplier sends at once is already expected.
  const now = ctx.clock.now()
  const asked = await askAgain(ctx.db, { id, now })
  if (asked === null || (await tellSupplier(ctx, asked))) return asked
  await takeBackAgain(ctx.db, { id: asked.id, askedAt: now })
  throw againUnavailable()
}

/** Returns false only if the supplier refused to send another code. After a time-out a code may still come. */
async function tellSupplier(ctx: Context, row: ActivationRow): Promise<boolean> {
  const supplier = suppliersOf(ctx).get(row.supplier_id)
  if (supplier === undefined || row.phone === null) return false
  const number = {
    reference: referenceOf(row),
    supplierReference: row.supplier_reference ?? '',
    phone: row.phone,
    serviceCode: row.service_code,
  }
  return withTimeout(SUPPLIER_TIMEOUT_MS, (signal) => supplier.askAgain(number, signal)).catch((error: unknown) => {
    ctx.log.warn({ error, supplier: supplier.code, reference: number.reference }, 'a supplier did not take "again"')
    return true
  })
}
