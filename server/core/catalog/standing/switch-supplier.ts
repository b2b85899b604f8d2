import { raiseCatalogVersion } from '#server/core/catalog/offers/queries.ts'
import type { Db } from '#server/house/db/pool.ts'
import { lockSupplier, setPaused } from '../health/queries/pausing.ts'
import { insertEvent, restoreStanding } from '../health/queries/standings.ts'

/** Pauses or resumes a supplier for staff (website or command line). Returns null if the supplier does not exist. */
export async function switchSupplier(
  tx: Db,
  { code, on, now, reason }: { code: string; on: 'paused' | 'at-work'; now: Date; reason: string },
): Promise<{ id: number; changed: boolean } | null> {
  const supplier = await lockSupplier(tx, code)
  if (supplier === null) return null
  const { id, paused_at: pausedAt } = supplier
  const isPause = on === 'paused'
  const changed = (pausedAt !== null) !== isPause
  if (changed) {
    await setPaused(tx, { id, pausedAt: isPause ? now : null })
    // Resuming also marks the supplier as healthy, because staff have checked it.
    if (!isPause) await restoreStanding(tx, { supplierId: id, now })
    await insertEvent(tx, { supplierId: id, kind: isPause ? 'paused' : 'resumed', reason, now })
    await raiseCatalogVersion(tx, now)
  }
  return { id, changed }
}
