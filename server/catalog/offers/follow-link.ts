import { insertEvent } from '#server/catalog/health/queries/standings.ts'
import type { Context } from '#server/context.ts'
import { storeLink } from './queries.ts'
import { refreshOffers } from './refresh-offers.ts'

/** Hides or restores the offers of a supplier when its link changes. */
export async function followLink(ctx: Context, supplierId: number): Promise<void> {
  const supplier = ctx.suppliers.get(supplierId)
  const link = supplier?.link?.()
  // A supplier without a link yet is being started, and its starter refreshes the offers.
  if (supplier === undefined || link === undefined) return
  const words = link.up ? 'the link of a supplier is up' : 'the link of a supplier is down: it sells nothing'
  const { up, since, why } = link
  ctx.log[up ? 'info' : 'warn']({ supplier: supplier.code, why }, words)
  await refreshOffers(ctx, supplier)
  if (!(await storeLink(ctx.db, { supplierId, up, since }))) return
  const reason = why === undefined ? words : `${words} (${why})`
  await insertEvent(ctx.db, { supplierId, kind: up ? 'link-up' : 'link-down', reason, now: since })
}
