import { SECOND } from '#contract/time.ts'
import type { Context } from '#server/context.ts'
import { announceChange } from './announce.ts'
import { referenceOf, SUPPLIER_TIMEOUT_MS, settle, withTimeout } from './ask-suppliers.ts'
import { endExpired } from './queries/end.ts'
import { failReservation, listOrphans } from './queries/purchase.ts'
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
 * At start, before suppliers connect: messages that come with the first connection wait until it is known whose number
 * an orphan became. `settleOrphans` then lets go of them.
 */
export async function claimOrphans(ctx: Context): Promise<void> {
  for await (const rows of orphansUntil(ctx, ctx.clock.now())) for (const row of rows) ctx.reserving.add(row.id)
}

/**
 * At start, before this process buys anything: whatever is in `reserving` was left behind by a crash, and is settled now.
 * Returns how many. What cannot be settled, because its supplier gives no answer, is taken up by `sweepReserving`.
 */
export async function settleOrphans(ctx: Context): Promise<number> {
  return settleAll(ctx, { before: ctx.clock.now(), isOrphan: () => true })
}

/**
 * The same while the service runs: of what was made since `startedAt`, orphans are those that are older than any purchase
 * takes, after a lost database for instance; of what was made before, all. Run every few seconds.
 */
export async function sweepReserving(ctx: Context, input: { startedAt: Date }): Promise<number> {
  const ripeAt = ctx.clock.now().getTime() - RESERVING_GRACE_MS
  const before = new Date(Math.max(ripeAt, input.startedAt.getTime()))
  return settleAll(ctx, { before, isOrphan: (row) => !ctx.reserving.has(row.id) })
}

/**
 * Settles reservations that nobody works on: the supplier is asked what became of the purchase, nothing is guessed and
 * nothing is bought again.
 */
async function settleAll(
  ctx: Context,
  input: { before: Date; isOrphan: (row: ActivationRow) => boolean },
): Promise<number> {
  const silent = new Set<number>()
  let count = 0
  for await (const rows of orphansUntil(ctx, input.before)) {
    const orphans = rows.filter(input.isOrphan)
    for (const row of orphans) ctx.reserving.add(row.id)
    // Together: a supplier that hangs costs one time-out, not one for each of them before the service can start.
    const outcomes = await Promise.all(
      orphans.map(async (row) => {
        const outcome = await settleOrphan(ctx, row, silent).finally(() => ctx.reserving.delete(row.id))
        return { supplierId: row.supplier_id, outcome }
      }),
    )
    count += outcomes.filter(({ outcome }) => outcome !== 'open').length
    // Nor one for each batch: who gave no answer to any of a batch is asked again by the next sweep.
    const answering = new Set(outcomes.filter(({ outcome }) => outcome === 'answered').map((one) => one.supplierId))
    for (const { supplierId, outcome } of outcomes) {
      if (outcome === 'open' && !answering.has(supplierId)) silent.add(supplierId)
    }
  }
  return count
}

/** Every reservation made until then, in batches. */
async function* orphansUntil(ctx: Context, before: Date): AsyncGenerator<ActivationRow[]> {
  let after: { createdAt: Date; id: bigint } | null = null
  for (;;) {
    const rows: ActivationRow[] = await listOrphans(ctx.db, { before, after, limit: RESERVING_BATCH })
    if (rows.length > 0) yield rows
    const last = rows.at(-1)
    if (last === undefined || rows.length < RESERVING_BATCH) return
    after = { createdAt: last.created_at, id: last.id }
  }
}

/** `answered`: by its supplier, and so settled. `released`: without asking. */
type OrphanOutcome = 'answered' | 'released' | 'open'

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
