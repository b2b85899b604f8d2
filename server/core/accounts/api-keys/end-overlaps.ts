import type { Context } from '#server/house/context.ts'
import { dropKey, dropSecrets } from './key-memory.ts'
import { endOverlaps, listShutSince } from './queries.ts'

/** A secret of before a rotation opens nothing any more: its sockets go as well. */
export async function sweepOverlaps(ctx: Context): Promise<void> {
  for (const { id, previous_hash: hash, rules_version: version } of await endOverlaps(ctx.db, ctx.clock.now())) {
    if (hash !== null) dropSecrets(ctx, { id, version }, [hash])
  }
}

/** What the command line revoked, or whom it blocked: the look-ups of their keys are forgotten as well. */
export async function dropShut(ctx: Context, since: Date): Promise<void> {
  for (const key of await listShutSince(ctx.db, since)) dropKey(ctx, key)
}
