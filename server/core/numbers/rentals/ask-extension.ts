import { HOUR } from '#contract/time.ts'
import { askSupplier } from '#server/core/catalog/health/ask-supplier.ts'
import { suppliersOf } from '#server/core/suppliers/running-suppliers.ts'
import { SUPPLIER_TIMEOUT_MS } from '#server/core/suppliers/supplier.ts'
import type { Context } from '#server/house/context.ts'
import { nodeOf } from '#server/house/nodes/node.ts'
import { contextOfOrder } from '#server/house/sandbox.ts'
import { rentReferenceOf } from './order.ts'
import { chargeLateExtension, type ExtendedRental, grantExtension, releaseExtension } from './queries/extend.ts'
import { findAnyRental } from './queries/read.ts'
import type { RentalRow } from './queries/row.ts'
import { warnAt } from './times.ts'

/**
 * The outcome of a request to extend a rental. `granted` means that an earlier reply has granted it. `open` means that
 * the supplier may have extended the number, or that another node settles the extension, so the money stays held.
 */
type ExtensionOutcome = RentalRow | 'granted' | 'refused' | 'open'

/**
 * Asks the supplier for an extension whose money is held, and settles the extension. Returns the extended rental. The
 * extension's reference makes a repeated request idempotent.
 */
export async function askExtension(given: Context, rental: ExtendedRental): Promise<ExtensionOutcome> {
  const ctx = contextOfOrder(given, rental.supplier_id)
  const supplier = suppliersOf(ctx).get(rental.supplier_id)
  const { rent } = supplier ?? {}
  if (supplier === undefined || rent === undefined) return 'open'
  const extensionReference = `x${rental.extension_id}`
  const expiresAt = new Date(rental.expires_at.getTime() + rental.extension_hours * HOUR)
  const extension = {
    reference: rentReferenceOf(rental),
    supplierReference: rental.supplier_reference ?? '',
    extensionReference,
    hours: rental.extension_hours,
    maxCostMicros: rental.cost_limit_micros,
    currency: rental.cost_currency ?? rental.currency,
    expiresAt,
  }
  const ids = { rentalId: rental.id, chargeId: rental.extension_id, nodeId: nodeOf(ctx).id }
  let reply: 'extended' | 'refused' | 'unknown' = 'unknown'
  try {
    const asked = { supplier, call: 'extend', limitMs: SUPPLIER_TIMEOUT_MS } as const
    const answer = await askSupplier(ctx, asked, (signal) => rent.extendRental(extension, signal))
    reply = answer.outcome
    const now = ctx.clock.now()
    if (answer.outcome === 'refused') {
      const isReleased = await releaseExtension(ctx.db, { ...ids, now, abandon: false })
      return isReleased || !(await isOpen(ctx, rental)) ? 'refused' : 'open'
    }
    if (answer.costMicros > rental.cost_limit_micros) {
      ctx.log.warn({ supplier: supplier.code, extensionReference }, 'an extension cost more than was allowed')
    }
    const hours = rental.hours + rental.extension_hours
    const { costMicros } = answer
    const granted = { ...ids, expiresAt, warnAt: warnAt(expiresAt, hours), costMicros, now }
    const extended = await grantExtension(ctx.db, granted)
    if (extended !== null) return extended
    if (await isOpen(ctx, rental)) return 'open'
    return (await countLateExtension(ctx, { ...ids, supplier: supplier.code, costMicros })) ? 'refused' : 'granted'
  } catch (error) {
    ctx.log.warn({ error, supplier: supplier.code, extensionReference }, 'an extension has an unknown outcome')
    return 'open'
  } finally {
    ctx.metrics.supplierCalls.inc({ supplier: supplier.code, call: 'extend', result: reply })
  }
}

/** Tells whether the money is still held. If our statement settled nothing, another node then has the extension. */
async function isOpen(ctx: Context, { id, extension_id: chargeId }: ExtendedRental): Promise<boolean> {
  return (await findAnyRental(ctx.db, id))?.extension_id === chargeId
}

/**
 * Adds, only once, the cost of a late extension to the rental's cost. Late means granted after the extension's money
 * was released. Returns false if the money was not released.
 */
export async function countLateExtension(
  ctx: Context,
  late: { rentalId: bigint; chargeId: bigint; supplier: string; costMicros: bigint },
): Promise<boolean> {
  const { supplier, chargeId, costMicros } = late
  const counted = await chargeLateExtension(ctx.db, late)
  if (counted === 'counted') {
    const costs = { supplier, extensionReference: `x${chargeId}`, costMicros: costMicros.toString() }
    ctx.log.warn(costs, 'an extension was granted after its money had been given back: we pay for it')
  }
  return counted !== null
}
