import { hasShadows } from '#server/accounts/sandbox/queries.ts'
import { loadCatalog } from '#server/catalog/offers/load-catalog.ts'
import { findSandboxRow, insertSandbox } from '#server/catalog/offers/sandbox-queries.ts'
import type { Context } from '#server/context.ts'
import { sandboxOf } from '#server/sandbox-world.ts'
import { createSimulator } from '#server/suppliers/simulator/simulator.ts'
import type { Supplier } from '#server/suppliers/supplier.ts'
import { supplierContext } from './start-suppliers.ts'

/** Before any of its orders is settled. `settings`: as its kind reads them. */
export async function startSandbox(ctx: Context, settings: Record<string, unknown> = {}): Promise<void> {
  await insertSandbox(ctx.db, ctx.clock.now())
  const row = await findSandboxRow(ctx.db)
  if (row === null) throw new Error('the supplier of the sandbox is missing')
  ctx.sandbox.supplierId = row.id
  const supplier = createSimulator(supplierContext(sandboxOf(ctx)), { ...row, settings, sandbox: true })
  await ctx.suppliers.add(supplier)
  let filling: Promise<void> | undefined
  ctx.sandbox.fill = () => {
    filling ??= fill(ctx, supplier).catch((error: unknown) => {
      filling = undefined
      throw error
    })
    return filling
  }
  if (await hasShadows(ctx.db)) await ctx.sandbox.fill()
}

/** Its offers never change, and stand in no table. */
async function fill(ctx: Context, supplier: Supplier): Promise<void> {
  const { sandbox } = ctx
  const { signal } = new AbortController()
  sandbox.pricedBy ??= ''
  await loadCatalog(ctx)
  sandbox.catalog.setOffers(supplier.id, await supplier.listOffers(signal))
  sandbox.rentCatalog.setOffers(supplier.id, (await supplier.rent?.listRentOffers(signal)) ?? [])
}
