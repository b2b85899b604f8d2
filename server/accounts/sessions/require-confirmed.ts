import { MINUTE } from '#contract/time.ts'
import { isTwoFactorOn } from '#server/accounts/two-factor/queries.ts'
import { findUser, type UserRow } from '#server/accounts/users/queries.ts'
import type { Context } from '#server/context.ts'
import { confirmIdentity, unauthenticated } from '#server/errors.ts'
import { isConfirmedSince } from './confirmation-queries.ts'
import type { SignedIn } from './require-session.ts'

/** How long showing oneself counts: a sign-in does, and so does POST /api/v1/user/confirm-password. */
const CONFIRMED_MS = 5 * MINUTE

type Way = 'password' | 'two-factor' | 'sign-in'

/**
 * For changes of how a person signs in: whoever has found an open session cannot make it a lasting way in. Throws
 * CONFIRM_PASSWORD, which says how to show oneself. `shown`: what the call itself asks for.
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
  if (way !== shown) throw confirmIdentity(way)
}

/** By the password; without one by the second factor; without either by signing in once more at a social service. */
export async function wayToConfirm(ctx: Context, user: UserRow): Promise<Way> {
  if (user.password_hash !== null) return 'password'
  return (await isTwoFactorOn(ctx.db, user.id)) ? 'two-factor' : 'sign-in'
}
