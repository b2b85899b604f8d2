import { z } from 'zod'
import { askSupplier } from '#server/core/catalog/health/ask-supplier.ts'
import { suppliersOf } from '#server/core/suppliers/running-suppliers.ts'
import { type RentSupplier, SUPPLIER_TIMEOUT_MS, type Supplier } from '#server/core/suppliers/supplier.ts'
import type { Context } from '#server/house/context.ts'
import { countLateExtension } from './ask-extension.ts'
import { rentReferenceOf } from './order.ts'
import { findAnyRental, isRented } from './queries/read.ts'

const endRentalPayload = z.object({ rentalId: z.coerce.bigint() })
const abandonPayload = z.object({ supplierId: z.number().int(), reference: z.string() })
const abandonExtensionPayload = z.object({
  supplierId: z.number().int(),
  rentalId: z.coerce.bigint(),
  chargeId: z.coerce.bigint(),
  reference: z.string(),
  supplierReference: z.string().nullable(),
  hours: z.number().int(),
})

/** Job `end-rental`: tells the supplier that a rental ended. Throws, to be retried, until the supplier accepts. */
export async function endRental(ctx: Context, payload: unknown): Promise<void> {
  const { rentalId } = endRentalPayload.parse(payload)
  const row = await findAnyRental(ctx.db, rentalId)
  if (row === null || row.phone === null) return
  const { supplier, rent } = requireRenting(ctx, row.supplier_id)
  const number = {
    reference: rentReferenceOf(row),
    supplierReference: row.supplier_reference ?? '',
    phone: row.phone,
    serviceCode: row.service_code,
  }
  await askSupplier(ctx, { supplier, call: 'end', limitMs: SUPPLIER_TIMEOUT_MS }, (signal) =>
    rent.endRental(number, signal),
  )
}

/** Job `abandon-rental`: gives back any number that an unanswered attempt rented. */
export async function abandonRental(ctx: Context, payload: unknown): Promise<void> {
  const { supplierId, reference } = abandonPayload.parse(payload)
  const { supplier, rent } = requireRenting(ctx, supplierId)
  const found = await askSupplier(ctx, { supplier, call: 'find', limitMs: SUPPLIER_TIMEOUT_MS }, (signal) =>
    rent.findRental(reference, signal),
  )
  if (found.outcome === 'none') return
  const { phone, supplierReference } = found
  if (await isRented(ctx.db, { supplierId, phone, supplierReference })) {
    ctx.log.warn({ supplierId, reference }, 'a supplier rented one order twice: its buyer keeps the number')
    return
  }
  const number = { reference, supplierReference, phone, serviceCode: '', unsold: true }
  await askSupplier(ctx, { supplier, call: 'end', limitMs: SUPPLIER_TIMEOUT_MS }, (signal) =>
    rent.endRental(number, signal),
  )
}

/** Job `abandon-extension`: asks the supplier about an extension whose money was released. We pay for a late grant. */
export async function abandonExtension(ctx: Context, payload: unknown): Promise<void> {
  const { supplierId, rentalId, chargeId, reference, supplierReference, hours } = abandonExtensionPayload.parse(payload)
  const { supplier, rent } = requireRenting(ctx, supplierId)
  const extension = {
    reference,
    supplierReference: supplierReference ?? '',
    extensionReference: `x${chargeId}`,
    hours,
  }
  const found = await askSupplier(ctx, { supplier, call: 'find', limitMs: SUPPLIER_TIMEOUT_MS }, (signal) =>
    rent.findExtension(extension, signal),
  )
  if (found.outcome === 'none') return
  await countLateExtension(ctx, { rentalId, chargeId, supplier: supplier.code, costMicros: found.costMicros })
}

function requireRenting(ctx: Context, supplierId: number): { supplier: Supplier; rent: RentSupplier } {
  const supplier = suppliersOf(ctx).get(supplierId)
  const rent = supplier?.rent
  // The job is retried, because the supplier may be active again later.
  if (supplier === undefined || rent === undefined) {
    throw new Error(`supplier ${supplierId} is not at work, or rents nothing out`)
  }
  return { supplier, rent }
}
