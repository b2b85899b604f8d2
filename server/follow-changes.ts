import { MINUTE } from '#contract/time.ts'
import type { Context } from '#server/context.ts'
import { receiveSms } from '#server/features/activations/receive-sms.ts'
import { reportUnusable } from '#server/features/activations/report-unusable.ts'
import { loadCatalog } from '#server/features/catalog/load-catalog.ts'
import {
  findCatalogVersion,
  listSupplierRows,
  type SupplierListRow,
  updateSettings,
} from '#server/features/catalog/queries.ts'
import { loadOffers, refreshOffers } from '#server/features/catalog/refresh-offers.ts'
import { listBlockedSince } from '#server/features/users/queries.ts'
import { seal, unseal } from '#server/secret-key.ts'
import { supplierKinds } from '#server/suppliers/registry.ts'
import type { Supplier, SupplierContext } from '#server/suppliers/supplier.ts'

/** Starts every supplier that is not paused, with what was last known of its stock, and asks each for what it sells now. */
export async function startSuppliers(ctx: Context): Promise<void> {
  const { buyingStopped } = await findCatalogVersion(ctx.db)
  ctx.buying.stopped = buyingStopped
  for (const row of await listSupplierRows(ctx.db)) {
    if (row.paused_at === null) await startSupplier(ctx, row)
  }
}

/** A block may be committed a little after the time it carries; closing a closed socket again does nothing. */
const LOOK_BACK_MS = MINUTE

/**
 * Returns a function to call each second: it sees what the command line changed (prices, suppliers, blocked users,
 * buying stopped) and brings this process up to it.
 */
export function followChanges(ctx: Context): () => Promise<void> {
  let seen: number | undefined
  let lookedAt = ctx.clock.now()
  return async () => {
    const now = ctx.clock.now()
    const { version, buyingStopped } = await findCatalogVersion(ctx.db)
    ctx.buying.stopped = buyingStopped
    seen ??= version
    if (version === seen) return
    for (const userId of await listBlockedSince(ctx.db, new Date(lookedAt.getTime() - LOOK_BACK_MS)))
      ctx.realtime.closeUser(userId)
    await followSuppliers(ctx)
    await loadCatalog(ctx)
    for (const supplier of ctx.suppliers.all()) await refreshOffers(ctx, supplier)
    seen = version
    lookedAt = now
  }
}

async function followSuppliers(ctx: Context): Promise<void> {
  for (const row of await listSupplierRows(ctx.db)) {
    const running = ctx.suppliers.get(row.id) !== undefined
    if (row.paused_at === null && !running) await startSupplier(ctx, row)
    // A paused supplier sells no more, but stays at work for the numbers it has sold: the index leaves it out.
  }
}

async function startSupplier(ctx: Context, row: SupplierListRow): Promise<void> {
  const make = supplierKinds[row.kind]
  if (make === undefined) {
    ctx.log.error({ supplier: row.code, kind: row.kind }, 'this version knows no such kind of supplier')
    return
  }
  try {
    const settings = await openSettings(ctx, row)
    const supplier = make(supplierContext(ctx), { ...row, settings })
    await addSupplier(ctx, supplier)
  } catch (error) {
    // One supplier that is set up wrongly must not keep the others from selling.
    ctx.log.error({ error, supplier: row.code }, 'a supplier could not be started')
  }
}

/** Settings may hold passwords: they are stored sealed, and sealed anew when the key has changed. */
async function openSettings(ctx: Context, row: SupplierListRow): Promise<Record<string, unknown>> {
  const { value, outdated } = unseal(row.settings, [ctx.secretKey, ...ctx.previousSecretKeys])
  if (outdated) await updateSettings(ctx.db, { id: row.id, settings: seal(value, ctx.secretKey, ctx.random) })
  return value
}

/** Puts a supplier to work: its numbers can be bought from here on. */
export async function addSupplier(ctx: Context, supplier: Supplier): Promise<void> {
  await ctx.suppliers.add(supplier)
  await loadOffers(ctx, supplier.id)
  await refreshOffers(ctx, supplier)
}

/** What the house gives a supplier to work with. */
export function supplierContext(ctx: Context): SupplierContext {
  const { db, clock, random, log } = ctx
  return {
    db,
    clock,
    random,
    log,
    receiveSms: (sms) => receiveSms(ctx, sms),
    reportUnusable: (input) => reportUnusable(ctx, input),
  }
}
