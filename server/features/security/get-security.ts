import type { Security } from '#contract/account.ts'
import type { Context } from '#server/context.ts'
import { unauthenticated } from '#server/errors.ts'
import { findPendingEmail } from '#server/features/emails/queries.ts'
import { findTwoFactorState } from '#server/features/two-factor/queries.ts'
import { findUser } from '#server/features/users/queries.ts'

/** What /settings/security shows of a person's ways to sign in. Throws UNAUTHENTICATED when he is gone. */
export async function getSecurity(ctx: Context, userId: number): Promise<Security> {
  const [user, twoFactor, pendingEmail] = await Promise.all([
    findUser(ctx.db, userId),
    findTwoFactorState(ctx.db, userId),
    findPendingEmail(ctx.db, { userId, now: ctx.clock.now() }),
  ])
  if (user === null) throw unauthenticated()
  return {
    email: user.email ?? '',
    pending_email: pendingEmail,
    has_password: user.password_hash !== null,
    two_factor: twoFactor.on,
    recovery_codes_left: twoFactor.recoveryCodesLeft,
  }
}
