import { insertEvent } from '#server/catalog/health/queries/standings.ts'
import type { Context } from '#server/context.ts'
import { hastenJobsOf } from '#server/jobs/hasten.ts'
import { storeLink } from './queries.ts'
import { refreshOffers } from './refresh-offers.ts'

/** Hides or restores the offers of a supplier when its link changes. What it could not be told is told with the link. */
export async function followLink(ctx: Context, supplierId: number): Promise<void> {
  const supplier = ctx.suppliers.get(supplierId)
  const link = supplier?.link?.()
  // A supplier without a link yet is being started, and its starter refreshes the offers.
  if (supplier === undefined || link === undefined) return
  const words = link.up ? 'the link of a supplier is up' : 'the link of a supplier is down: it sells nothing'
  ctx.log[link.up ? 'info' : 'warn']({ supplier: supplier.code }, words)
  await refreshOffers(ctx, supplier)
  if (link.up) await hastenJobsOf(ctx.db, supplierId)
  if (!(await storeLink(ctx.db, { supplierId, ...link }))) return
  const kind = link.up ? 'link-up' : 'link-down'
  await insertEvent(ctx.db, { supplierId, kind, reason: words, now: link.since })
}
