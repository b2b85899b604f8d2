import { insertEvent } from '#server/catalog/health/queries/standings.ts'
import type { Context } from '#server/context.ts'
import { hastenJobsOf } from '#server/jobs/hasten.ts'
import type { LinkState, Supplier } from '#server/suppliers/supplier.ts'
import { storeLink } from './queries.ts'
import { refreshOffers } from './refresh-offers.ts'

const UP = 'the link of a supplier is up'
const DOWN = 'the link of a supplier is down: it sells nothing'

/** Hides or restores the offers of a supplier when its link changes. What it could not be told is told with the link. */
export async function followLink(ctx: Context, supplierId: number): Promise<void> {
  const supplier = ctx.suppliers.get(supplierId)
  const link = supplier?.link?.()
  // A supplier without a link yet is being started, and its starter refreshes the offers.
  if (supplier === undefined || link === undefined) return
  tellLink(ctx, supplier, link)
  await refreshOffers(ctx, supplier)
  if (link.up) await hastenJobsOf(ctx.db, supplierId)
  if ((await storeLink(ctx.db, { supplierId, ...link })) !== null) await insertLinkEvent(ctx, supplierId, link)
}

/** Of a supplier that has just been started: while it starts, changes are told of the one before. Up as before is no news. */
export async function noteFirstLink(ctx: Context, supplier: Supplier): Promise<void> {
  const link = supplier.link?.()
  if (link === undefined) return
  const stored = await storeLink(ctx.db, { supplierId: supplier.id, ...link })
  if (stored === null || (link.up && stored.was !== false)) return
  tellLink(ctx, supplier, link)
  await insertLinkEvent(ctx, supplier.id, link)
}

function tellLink(ctx: Context, { code }: Supplier, { up, why }: LinkState): void {
  ctx.log[up ? 'info' : 'warn']({ supplier: code, why }, up ? UP : DOWN)
}

async function insertLinkEvent(ctx: Context, supplierId: number, { up, since, why }: LinkState): Promise<void> {
  const reason = up ? UP : why === undefined ? DOWN : `${DOWN} (${why})`
  await insertEvent(ctx.db, { supplierId, kind: up ? 'link-up' : 'link-down', reason, now: since })
}
