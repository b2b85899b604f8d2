import { insertEvent } from '#server/core/catalog/health/queries/standings.ts'
import { catalogOf } from '#server/core/catalog/offers/catalog-index.ts'
import { followLinkSoon, noteFirstLink } from '#server/core/catalog/offers/follow-link.ts'
import {
  findCatalogVersion,
  listRemovedSupplierIds,
  listSupplierRows,
  resealSettings,
  type SupplierListRow,
  storeNotStarted,
} from '#server/core/catalog/offers/queries.ts'
import { hideOffers, loadOffers, refreshOffers } from '#server/core/catalog/offers/refresh-offers.ts'
import { refreshSoon } from '#server/core/catalog/offers/refresh-schedule.ts'
import { supplierListsOf } from '#server/core/catalog/offers/supplier-lists.ts'
import { buyingOf } from '#server/core/numbers/sourcing/buying-stopped.ts'
import { suppliersOf } from '#server/core/suppliers/running-suppliers.ts'
import type { Supplier } from '#server/core/suppliers/supplier.ts'
import { readToldLinks } from '#server/core/suppliers/told-links.ts'
import { seal, unseal } from '#server/house/config/secret-key.ts'
import type { Context } from '#server/house/context.ts'
import { isDatabaseAway } from '#server/house/db/constraint.ts'
import { whyFailed } from '#server/house/http/outbound/why-failed.ts'
import { isTogether } from '#server/house/nodes/node.ts'
import { sandboxSupplyOf } from '#server/house/sandbox.ts'
import { supplierKinds } from './kinds/supplier-kinds.ts'

/** Starts the suppliers. Returns those that could not be started, with the reasons. */
export async function startSuppliers(ctx: Context): Promise<string[]> {
  await readToldLinks(ctx)
  const { buyingStopped } = await findCatalogVersion(ctx.db)
  buyingOf(ctx).stopped = buyingStopped
  // A paused supplier is started too: its sold numbers receive messages. The catalogue keeps it out of sales.
  const failed: string[] = []
  for (const row of await listSupplierRows(ctx.db)) {
    const why = await startSupplier(ctx, row)
    if (why !== null) failed.push(`${row.code}: ${why}`)
  }
  await refreshSoon(ctx, suppliersOf(ctx).all())
  catalogOf(ctx).computeStale()
  return failed
}

export async function followSuppliers(ctx: Context): Promise<void> {
  for (const row of await listSupplierRows(ctx.db)) {
    const settingsVersion = suppliersOf(ctx).settingsVersion(row.id)
    if (settingsVersion === undefined) await startSupplier(ctx, row)
    else if (settingsVersion !== row.settings_version) await restartSupplier(ctx, row)
  }
  for (const id of await listRemovedSupplierIds(ctx.db)) await stopRemoved(ctx, id)
}

/**
 * Starts suppliers anew whose leases this node gained or lost. Shows or hides the offers of suppliers whose links another
 * node holds.
 */
export async function followRoles(ctx: Context): Promise<void> {
  if (!isTogether(ctx)) return
  const suppliers = suppliersOf(ctx)
  for (const id of await readToldLinks(ctx)) if (!suppliers.receives(id)) followLinkSoon(ctx, id)
  const changed = suppliers.changedRoles()
  if (changed.length === 0) return
  const rows = (await listSupplierRows(ctx.db)).filter(({ id }) => changed.includes(id))
  await Promise.all(rows.map((row) => restartSupplier(ctx, row)))
  const { supplierId: playId } = sandboxSupplyOf(ctx)
  if (playId !== null && changed.includes(playId)) await suppliers.restart(playId)
}

/** Retries failed starts, because a reason such as a taken port may pass. Returns true if a supplier has started. */
export async function startMissing(ctx: Context): Promise<boolean> {
  let hasStarted = false
  for (const row of await listSupplierRows(ctx.db)) {
    if (suppliersOf(ctx).get(row.id) === undefined && (await startSupplier(ctx, row)) === null) hasStarted = true
  }
  return hasStarted
}

async function stopRemoved(ctx: Context, id: number): Promise<void> {
  const supplier = suppliersOf(ctx).get(id)
  if (supplier === undefined) return
  hideOffers(ctx, id)
  supplierListsOf(ctx).forget(id)
  await suppliersOf(ctx).remove(id)
  ctx.log.info({ supplier: supplier.code }, 'a supplier was removed')
}

/** Starts a supplier. Returns the reason if it does not run, else null. */
async function startSupplier(ctx: Context, row: SupplierListRow): Promise<string | null> {
  try {
    const supplier = await makeSupplier(ctx, row)
    await takeIn(ctx, supplier, row.settings_version)
    return null
  } catch (error) {
    // No supplier can start without the database, so the whole start is retried.
    if (isDatabaseAway(error)) throw error
    // A misconfigured supplier must not prevent the others from selling.
    ctx.log.error({ error, supplier: row.code }, 'a supplier could not be started')
    await noteNotStarted(ctx, row.id, error)
    return whyFailed(error)
  }
}

async function noteNotStarted(ctx: Context, supplierId: number, error: unknown): Promise<void> {
  // The node that holds the link knows better.
  if (!suppliersOf(ctx).receives(supplierId)) return
  const now = ctx.clock.now()
  const why = `it could not be started: ${whyFailed(error)}`
  if (await storeNotStarted(ctx.db, { supplierId, since: now, why })) {
    await insertEvent(ctx.db, { supplierId, kind: 'link-down', reason: why, now })
  }
}

async function restartSupplier(ctx: Context, row: SupplierListRow): Promise<void> {
  try {
    const supplier = await makeSupplier(ctx, row)
    const earlier = suppliersOf(ctx).get(row.id)
    await suppliersOf(ctx).replace(supplier, row.settings_version)
    // Offers in the supplier's former currency can no longer be bought, so they are hidden.
    if (earlier?.currency !== supplier.currency) hideOffers(ctx, row.id)
    ctx.log.info({ supplier: row.code }, 'a supplier was started again')
    await noteFirstLink(ctx, supplier)
  } catch (error) {
    ctx.log.error({ error, supplier: row.code }, 'a supplier could not be started with its changed settings')
    if (suppliersOf(ctx).get(row.id) !== undefined) return
    hideOffers(ctx, row.id)
    await noteNotStarted(ctx, row.id, error)
  }
}

async function makeSupplier(ctx: Context, row: SupplierListRow): Promise<Supplier> {
  const make = supplierKinds[row.kind]
  if (make === undefined) throw new Error(`this version knows no suppliers of the kind ${row.kind}`)
  const settings = await openSettings(ctx, row)
  return make(ctx, { ...row, settings })
}

/** Decrypts a supplier's settings, which may contain passwords, and encrypts them again if the secret key changed. */
async function openSettings(ctx: Context, row: SupplierListRow): Promise<Record<string, unknown>> {
  const { value, outdated } = unseal(row.settings, [ctx.secrets.secretKey, ...ctx.secrets.previousSecretKeys])
  if (outdated) await resealSettings(ctx.db, { ...row, settings: seal(value, ctx.secrets.secretKey, ctx.random) })
  return value
}

export async function addSupplier(ctx: Context, supplier: Supplier): Promise<void> {
  await takeIn(ctx, supplier)
  await refreshSoon(ctx, [supplier])
}

/** Registers the supplier with its last known offers, which apply until the supplier lists new ones. */
async function takeIn(ctx: Context, supplier: Supplier, settingsVersion?: number): Promise<void> {
  await suppliersOf(ctx).add(supplier, settingsVersion)
  if (supplier.hasFixedLists === true) await refreshOffers(ctx, supplier)
  else await loadOffers(ctx, supplier.id, supplier.currency)
  await noteFirstLink(ctx, supplier)
}
