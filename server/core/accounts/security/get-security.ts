import type { Security } from '#contract/account.ts'
import { findPendingEmail } from '#server/core/accounts/emails/queries.ts'
import { findTwoFactorState } from '#server/core/accounts/two-factor/queries.ts'
import { findUser } from '#server/core/accounts/users/queries.ts'
import type { Context } from '#server/house/context.ts'
import { unauthenticated } from '#server/house/errors/errors.ts'

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
