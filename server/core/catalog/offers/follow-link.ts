import { insertEvent } from '#server/core/catalog/health/queries/standings.ts'
import { suppliersOf } from '#server/core/suppliers/running-suppliers.ts'
import type { LinkState, Supplier } from '#server/core/suppliers/supplier.ts'
import type { Context } from '#server/house/context.ts'
import { runDelayedJobsOf } from '#server/house/jobs/run-delayed-jobs.ts'
import { clearNotStarted, storeLink } from './queries.ts'
import { refreshOffers } from './refresh-offers.ts'

const UP = 'the link of a supplier is up'
const DOWN = 'the link of a supplier is down: it sells nothing'

export function followLinkSoon(ctx: Context, supplierId: number): void {
  ctx.background.run('follow a link', () => followLink(ctx, supplierId))
}

/**
 * Hides or restores the offers of a supplier when its link changes, and retries its failed jobs when the link is up.
 */
export async function followLink(ctx: Context, supplierId: number): Promise<void> {
  const supplier = suppliersOf(ctx).get(supplierId)
  const link = supplier?.link?.()
  // A supplier without a link is still starting; the code that starts it refreshes the offers.
  if (supplier === undefined || link === undefined) return
  await refreshOffers(ctx, supplier)
  if (link.up) await runDelayedJobsOf(ctx.db, supplierId)
  await noteLink(ctx, supplier, link)
}

/**
 * Stores the link state of a new supplier object, because link changes during a restart were stored for the old object.
 */
export async function noteFirstLink(ctx: Context, supplier: Supplier): Promise<void> {
  const link = supplier.link?.()
  if (link === undefined) await clearNotStarted(ctx.db, supplier.id)
  else if (link.unproven !== true) await noteLink(ctx, supplier, link)
}

/** Stores the state of a supplier's link. A link that stays up makes no log line and no event. */
async function noteLink(ctx: Context, { id, code }: Supplier, link: LinkState): Promise<void> {
  if (!suppliersOf(ctx).receives(id)) return
  const { up, since, why } = link
  const stored = await storeLink(ctx.db, { supplierId: id, ...link })
  if (stored === null || (up && stored.was !== false)) return
  ctx.log[up ? 'info' : 'warn']({ supplier: code, why }, up ? UP : DOWN)
  const reason = up ? UP : why === undefined ? DOWN : `${DOWN} (${why})`
  // A new reason during an outage is dated now, not at the beginning of the outage.
  const at = !up && stored.was === false ? ctx.clock.now() : since
  await insertEvent(ctx.db, { supplierId: id, kind: up ? 'link-up' : 'link-down', reason, now: at })
}
