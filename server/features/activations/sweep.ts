import type { Context } from '#server/context.ts'
import {
  type OrphanOutcome,
  type Orphans,
  ripeBefore,
  settleAll,
  walkOrphans,
} from '#server/features/numbers/settle-orphans.ts'
import { SUPPLIER_TIMEOUT_MS, withTimeout } from '#server/features/numbers/with-timeout.ts'
import { announceChange } from './announce.ts'
import { referenceOf, settle } from './ask-suppliers.ts'
import { endExpired } from './queries/end.ts'
import { failReservation, listOrphans } from './queries/purchase.ts'
import type { ActivationRow } from './queries/row.ts'

const EXPIRY_BATCH = 500
const MAX_BATCHES = 20

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
 * At start, before suppliers connect: messages that come with the first connection wait until it is known whose number
 * an orphan became. `settleOrphans` then lets go of them.
 */
export async function claimOrphans(ctx: Context): Promise<void> {
  const all = walkOrphans(orphansOf(ctx), ctx.clock.now())
  for await (const rows of all) for (const row of rows) ctx.reserving.add(row.id)
}

/**
 * At start, before this process buys anything: whatever is in `reserving` was left behind by a crash, and is settled now.
 * Returns how many. What cannot be settled, because its supplier gives no answer, is taken up by `sweepReserving`.
 */
export async function settleOrphans(ctx: Context): Promise<number> {
  return settleAll(orphansOf(ctx), { before: ctx.clock.now(), isOrphan: () => true })
}

/** The same while the service runs, with purchases under way. Run every few seconds. */
export async function sweepReserving(ctx: Context, input: { startedAt: Date }): Promise<number> {
  const isOrphan = (row: ActivationRow) => !ctx.reserving.has(row.id)
  return settleAll(orphansOf(ctx), { before: ripeBefore(ctx, input.startedAt), isOrphan })
}

function orphansOf(ctx: Context): Orphans<ActivationRow> {
  return {
    underWay: ctx.reserving,
    list: (input) => listOrphans(ctx.db, input),
    settle: (row, silent) => settleOrphan(ctx, row, silent),
  }
}

async function settleOrphan(ctx: Context, row: ActivationRow, silent: ReadonlySet<number>): Promise<OrphanOutcome> {
  const now = ctx.clock.now()
  const supplier = ctx.suppliers.get(row.supplier_id)
  // The buyer's time is over, or nobody can be asked: he has his money back, and a job goes on asking.
  if (row.expires_at <= now || supplier === undefined) {
    await failReservation(ctx.db, { id: row.id, now, abandon: true })
    return 'released'
  }
  if (silent.has(supplier.id)) return 'open'
  try {
    const found = await withTimeout(SUPPLIER_TIMEOUT_MS, (signal) => supplier.find(referenceOf(row), signal))
    if (found.outcome === 'none') {
      await failReservation(ctx.db, { id: row.id, now, abandon: false })
      return 'answered'
    }
    const outcome = await settle(ctx, supplier, row, found)
    if (outcome.result === 'settled') await announceChange(ctx, outcome.row)
    else await failReservation(ctx.db, { id: row.id, now, abandon: true })
    return 'answered'
  } catch (error) {
    ctx.log.warn({ error, reference: referenceOf(row) }, 'a reservation stays open: its supplier gives no answer')
    return 'open'
  }
}
