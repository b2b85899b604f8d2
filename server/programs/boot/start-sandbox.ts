import { createSimulator } from '#server/adapters/simulator/simulator.ts'
import { hasShadows } from '#server/core/accounts/sandbox/queries.ts'
import { catalogOf } from '#server/core/catalog/offers/catalog-index.ts'
import { loadCatalog } from '#server/core/catalog/offers/load-catalog.ts'
import { rentCatalogOf } from '#server/core/catalog/offers/rent-index.ts'
import { findSandboxRow, insertSandbox } from '#server/core/catalog/offers/sandbox-queries.ts'
import { suppliersOf } from '#server/core/suppliers/running-suppliers.ts'
import type { Supplier } from '#server/core/suppliers/supplier.ts'
import type { Context } from '#server/house/context.ts'
import { sandboxOf, sandboxSupplyOf } from '#server/house/sandbox.ts'

/** Starts the sandbox's supplier, a simulator with `settings`. Must run before any sandbox order is settled. */
export async function startSandbox(ctx: Context, settings: Record<string, unknown> = {}): Promise<void> {
  await insertSandbox(ctx.db, ctx.clock.now())
  const row = await findSandboxRow(ctx.db)
  if (row === null) throw new Error('the supplier of the sandbox is missing')
  sandboxSupplyOf(ctx).supplierId = row.id
  const supplier = createSimulator(sandboxOf(ctx), { ...row, settings, sandbox: true })
  await suppliersOf(ctx).add(supplier)
  let filling: Promise<void> | undefined
  sandboxSupplyOf(ctx).fill = () => {
    filling ??= fillNow(ctx, supplier).catch((error: unknown) => {
      filling = undefined
      sandboxSupplyOf(ctx).pricedBy = null
      throw error
    })
    return filling
  }
  await fillSandbox(ctx)
}

/** Fills the sandbox if it is in use. Another node may have made the first sandbox key. */
export async function fillSandbox(ctx: Context): Promise<void> {
  const { pricedBy, fill } = sandboxSupplyOf(ctx)
  if (pricedBy === null && (await hasShadows(ctx.db))) await fill()
}

/** Adds the sandbox's offers to the catalogue. They never change and are in no table. */
async function fillNow(ctx: Context, supplier: Supplier): Promise<void> {
  const play = sandboxOf(ctx)
  const { signal } = new AbortController()
  sandboxSupplyOf(ctx).pricedBy ??= ''
  await loadCatalog(ctx)
  catalogOf(play).setOffers(supplier.id, await supplier.listOffers(signal))
  rentCatalogOf(play).setOffers(supplier.id, (await supplier.rent?.listRentOffers(signal)) ?? [])
}
