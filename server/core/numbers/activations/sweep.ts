import { inBatches } from '#server/core/numbers/sourcing/in-batches.ts'
import type { Context } from '#server/house/context.ts'
import { announceChange } from './announce.ts'
import { endExpired } from './queries/end.ts'

const EXPIRY_BATCH = 500

/** Ends expired activations and returns how many ended. Runs each second. */
export async function sweepExpired(ctx: Context): Promise<number> {
  return inBatches(
    EXPIRY_BATCH,
    (batch) => endExpired(ctx.db, { now: ctx.clock.now(), ...batch }),
    (row) => announceChange(ctx, row),
  )
}
