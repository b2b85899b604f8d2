import type { Context } from '#server/house/context.ts'
import { dropKey, dropSecrets } from './key-memory.ts'
import { endOverlaps, listShutSince } from './queries.ts'

/** Drops old secrets whose period of overlap after a key rotation is over, and closes sockets opened with them. */
export async function sweepOverlaps(ctx: Context): Promise<void> {
  for (const { id, previous_hash: hash, rules_version: version } of await endOverlaps(ctx.db, ctx.clock.now())) {
    if (hash !== null) dropSecrets(ctx, { id, version }, [hash])
  }
}

/** Drops cached look-ups and closes sockets of keys revoked on the command line or owned by blocked users. */
export async function dropRevokedSince(ctx: Context, since: Date): Promise<void> {
  for (const key of await listShutSince(ctx.db, since)) dropKey(ctx, key)
}
