import { seal } from '#server/house/config/secret-key.ts'
import type { Context } from '#server/house/context.ts'
import { insertUpdates } from './queries.ts'
import { type Incoming, readUpdate } from './read-update.ts'

/** Stores each update once, before acknowledging it. The text is encrypted, because it may be the token of a link. */
export async function takeUpdates(ctx: Context, raws: readonly unknown[]): Promise<number> {
  const updates = raws.map(readUpdate).filter((update): update is Incoming => update !== null)
  if (updates.length === 0) return 0
  return insertUpdates(ctx.db, {
    ids: updates.map(({ updateId }) => updateId),
    bodies: updates.map((update) => JSON.stringify(seal(update, ctx.secrets.secretKey, ctx.random))),
    now: ctx.clock.now(),
  })
}
