import type { SignedIn } from '#server/core/accounts/sessions/require-session.ts'
import { requireConfirmed } from '#server/core/accounts/ways-in/require-confirmed.ts'
import type { Context } from '#server/house/context.ts'
import { notFound } from '#server/house/errors/errors.ts'
import { dropKey } from './key-memory.ts'
import { revokeKey } from './queries.ts'

/** Revokes an API key at once and closes its sockets with code 4009. Throws NOT_FOUND, CONFIRM_PASSWORD. */
export async function revokeOwnKey(ctx: Context, signedIn: SignedIn, { id }: { id: number }): Promise<void> {
  await requireConfirmed(ctx, signedIn)
  const revoked = await revokeKey(ctx.db, { id, userId: signedIn.userId, now: ctx.clock.now() })
  if (revoked === null) throw notFound()
  dropKey(ctx, revoked)
}
