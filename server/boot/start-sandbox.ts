import { loadCatalog } from '#server/catalog/offers/load-catalog.ts'
import { findSandboxRow, insertSandbox } from '#server/catalog/offers/sandbox-queries.ts'
import type { Context } from '#server/context.ts'
import { sandboxOf } from '#server/sandbox-world.ts'
import { createSimulator } from '#server/suppliers/simulator/simulator.ts'
import { supplierContext } from './start-suppliers.ts'

/** Before any of its orders is settled. Its offers never change, and stand in no table. `settings`: as its kind reads them. */
export async function startSandbox(ctx: Context, settings: Record<string, unknown> = {}): Promise<void> {
  await insertSandbox(ctx.db, ctx.clock.now())
  const row = await findSandboxRow(ctx.db)
  if (row === null) throw new Error('the supplier of the sandbox is missing')
  ctx.sandbox.supplierId = row.id
  const supplier = createSimulator(supplierContext(sandboxOf(ctx)), { ...row, settings, sandbox: true })
  const { signal } = new AbortController()
  await loadCatalog(ctx)
  ctx.sandbox.catalog.setOffers(row.id, await supplier.listOffers(signal))
  ctx.sandbox.rentCatalog.setOffers(row.id, (await supplier.rent?.listRentOffers(signal)) ?? [])
  await ctx.suppliers.add(supplier)
}
