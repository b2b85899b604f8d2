import { z } from 'zod'
import type { ActivationState } from '#contract/activation.ts'
import { askSupplier } from '#server/core/catalog/health/ask-supplier.ts'
import { suppliersOf } from '#server/core/suppliers/running-suppliers.ts'
import { type Ending, type HeldNumber, SUPPLIER_TIMEOUT_MS } from '#server/core/suppliers/supplier.ts'
import type { Context } from '#server/house/context.ts'
import { referenceOf } from './order.ts'
import { findAnyActivation, isHeld } from './queries/read.ts'
import { barsForAll } from './queries/used.ts'

const endNumberPayload = z.object({ activationId: z.coerce.bigint() })
const abandonPayload = z.object({ supplierId: z.number().int(), reference: z.string() })

/** Job `end-number`: tells the supplier that a number ended. Throws, to be retried, until the supplier accepts. */
export async function endNumber(ctx: Context, payload: unknown): Promise<void> {
  const { activationId } = endNumberPayload.parse(payload)
  const row = await findAnyActivation(ctx.db, activationId)
  if (row === null || row.phone === null) return
  const supplier = requireSupplier(ctx, row.supplier_id)
  const number: HeldNumber = {
    reference: referenceOf(row),
    supplierReference: row.supplier_reference ?? '',
    phone: row.phone,
    serviceCode: row.service_code,
  }
  const ending = toEnding(row.state)
  if (ending === null) return
  // The supplier gets a single buyer's “already used” report as a cancel, so the number stays in stock.
  const told = ending === 'used' && !(await barsForAll(ctx.db, row.id)) ? 'cancelled' : ending
  await askSupplier(ctx, { supplier, call: 'end', limitMs: SUPPLIER_TIMEOUT_MS }, (signal) =>
    supplier.end(number, told, signal),
  )
}

/** Job `abandon-attempt`: gives back any number that an unanswered purchase attempt bought. */
export async function abandonAttempt(ctx: Context, payload: unknown): Promise<void> {
  const { supplierId, reference } = abandonPayload.parse(payload)
  const supplier = requireSupplier(ctx, supplierId)
  const asked = { supplier, limitMs: SUPPLIER_TIMEOUT_MS }
  const found = await askSupplier(ctx, { ...asked, call: 'find' }, (signal) => supplier.find(reference, signal))
  if (found.outcome === 'none') return
  if (await isHeld(ctx.db, { supplierId, phone: found.phone, supplierReference: found.supplierReference })) {
    ctx.log.warn({ supplier: supplier.code, reference }, 'a supplier sold one order twice: its buyer keeps the number')
    return
  }
  const number = { reference, supplierReference: found.supplierReference, phone: found.phone, serviceCode: '' }
  await askSupplier(ctx, { ...asked, call: 'end' }, (signal) => supplier.end(number, 'unsold', signal))
}

function toEnding(state: ActivationState): Ending | null {
  switch (state) {
    case 'finished':
    case 'cancelled':
    case 'expired':
    case 'used':
      return state
    case 'reserving':
    case 'waiting':
    case 'received':
    case 'waiting_again':
    case 'failed':
      return null
    default:
      return state satisfies never
  }
}

function requireSupplier(ctx: Context, supplierId: number) {
  const supplier = suppliersOf(ctx).get(supplierId)
  // The failed job is retried, so the supplier is told when it is active again.
  if (supplier === undefined) throw new Error(`supplier ${supplierId} is not at work`)
  return supplier
}
