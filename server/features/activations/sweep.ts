import { SECOND } from '#contract/time.ts'
import type { Context } from '#server/context.ts'
import { announceChange } from './announce.ts'
import { referenceOf, SUPPLIER_TIMEOUT_MS, settle, withTimeout } from './ask-suppliers.ts'
import { endExpired } from './queries/end.ts'
import { failReservation } from './queries/purchase.ts'
import { listReserving } from './queries/read.ts'
import type { ActivationRow } from './queries/row.ts'

const EXPIRY_BATCH = 500
const MAX_BATCHES = 20
const RESERVING_BATCH = 50
/** A purchase of this process that is older is not under way any more, whatever went wrong with it. */
const RESERVING_GRACE_MS = 60 * SECOND

/** Ends every activation whose time is over. Returns how many. Run each second. */
export async function sweepExpired(ctx: Context): Promise<number> {
  let count = 0
  for (let batch = 0; batch < MAX_BATCHES; batch += 1) {
    const ended = await endExpired(ctx.db, { now: ctx.clock.now(), limit: EXPIRY_BATCH })
    for (const row of ended) await announceChange(ctx, row)
    count += ended.length
    if (ended.length < EXPIRY_BATCH) break
  }
  return count
}

/**
 * Settles reservations that a crash or a lost database left behind: the supplier is asked what became of the purchase,
 * nothing is guessed and nothing is bought again. With `everything`, at start, before this process buys anything, all
 * of them are orphans; later only those that are older than any purchase takes.
 */
export async function sweepReserving(ctx: Context, input: { everything: boolean }): Promise<number> {
  const graceMs = input.everything ? 0 : RESERVING_GRACE_MS
  const before = new Date(ctx.clock.now().getTime() - graceMs)
  const rows = await listReserving(ctx.db, { before, limit: RESERVING_BATCH })
  const orphans = rows.filter((row) => input.everything || !ctx.reserving.has(row.id))
  for (const row of orphans) ctx.reserving.add(row.id)
  // Together: a supplier that hangs costs one time-out, not one for each of them before the service can start.
  const settled = await Promise.all(
    orphans.map((row) => settleOrphan(ctx, row).finally(() => ctx.reserving.delete(row.id))),
  )
  return settled.filter(Boolean).length
}

/**
 * At start, before suppliers connect: messages that come with the first connection wait until it is known whose number
 * an orphan became. `sweepReserving` then lets go of them.
 */
export async function claimOrphans(ctx: Context): Promise<void> {
  const rows = await listReserving(ctx.db, { before: ctx.clock.now(), limit: RESERVING_BATCH })
  for (const row of rows) ctx.reserving.add(row.id)
}

async function settleOrphan(ctx: Context, row: ActivationRow): Promise<boolean> {
  const now = ctx.clock.now()
  const supplier = ctx.suppliers.get(row.supplier_id)
  // The buyer's time is over, or nobody can be asked: he has his money back, and a job goes on asking.
  if (row.expires_at <= now || supplier === undefined) {
    await failReservation(ctx.db, { id: row.id, now, abandon: true })
    return true
  }
  try {
    const found = await withTimeout(SUPPLIER_TIMEOUT_MS, (signal) => supplier.find(referenceOf(row), signal))
    if (found.outcome === 'none') {
      await failReservation(ctx.db, { id: row.id, now, abandon: false })
      return true
    }
    const outcome = await settle(ctx, supplier, row, found)
    if (outcome.result === 'settled') await announceChange(ctx, outcome.row)
    else await failReservation(ctx.db, { id: row.id, now, abandon: true })
    return true
  } catch (error) {
    ctx.log.warn({ error, reference: referenceOf(row) }, 'a reservation stays open: its supplier gives no answer')
    return false
  }
}
