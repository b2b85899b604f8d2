import { MINUTE } from '#contract/time.ts'
import { findUser, type UserRow } from '#server/core/accounts/users/queries.ts'
import type { Context } from '#server/house/context.ts'
import { confirmIdentity, unauthenticated } from '#server/house/errors/errors.ts'
import { isConfirmedSince } from '../sessions/confirmation-queries.ts'
import type { SignedIn } from '../sessions/require-session.ts'
import { hasPasskey, isTwoFactorOn } from './queries.ts'

/** The time for which a sign-in or POST /api/v1/user/confirm-password counts as a confirmation of identity. */
const CONFIRMED_MS = 5 * MINUTE

type Way = 'password' | 'two-factor' | 'sign-in'

/**
 * Requires a recent confirmation of identity, because a stolen session must not become lasting access. `shown` is a
 * proof that the call checks anyway, such as a second-factor code. Throws CONFIRM_PASSWORD.
 */
export async function requireConfirmed(
  ctx: Context,
  { userId, sessionId }: Pick<SignedIn, 'userId' | 'sessionId'>,
  shown?: Way,
): Promise<void> {
  const since = new Date(ctx.clock.now().getTime() - CONFIRMED_MS)
  if (await isConfirmedSince(ctx.db, { sessionId, since })) return
  const user = await findUser(ctx.db, userId)
  if (user === null) throw unauthenticated()
  const way = await wayToConfirm(ctx, user)
  if (way !== shown) throw confirmIdentity(way, await hasPasskey(ctx.db, userId))
}

export async function wayToConfirm(ctx: Context, user: UserRow): Promise<Way> {
  if (user.password_hash !== null) return 'password'
  return (await isTwoFactorOn(ctx.db, user.id)) ? 'two-factor' : 'sign-in'
}
