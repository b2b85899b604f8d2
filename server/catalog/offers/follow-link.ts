import type { Context } from '#server/context.ts'
import { storeLink } from './queries.ts'
import { refreshOffers } from './refresh-offers.ts'

/** A supplier's link went down or came back: its offers leave the catalogue or return to it, and staff can see since when. */
export async function followLink(ctx: Context, supplierId: number): Promise<void> {
  const supplier = ctx.suppliers.get(supplierId)
  const link = supplier?.link?.()
  // Bound while it is being started: whoever starts it asks for its offers next.
  if (supplier === undefined || link === undefined) return
  const words = link.up ? 'the link of a supplier is up' : 'the link of a supplier is down: it sells nothing'
  ctx.log[link.up ? 'info' : 'warn']({ supplier: supplier.code }, words)
  await refreshOffers(ctx, supplier)
  await storeLink(ctx.db, { supplierId, ...link })
}
