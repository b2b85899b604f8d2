import { provePassword } from '#server/accounts/passwords/prove-password.ts'
import { logAccountEvent } from '#server/accounts/security/log-account-event.ts'
import { showSecondFactor } from '#server/accounts/two-factor/set-up.ts'
import { findUser } from '#server/accounts/users/queries.ts'
import type { Context } from '#server/context.ts'
import { confirmIdentity, unauthenticated } from '#server/errors.ts'
import { confirmSession } from './confirmation-queries.ts'
import { wayToConfirm } from './require-confirmed.ts'
import type { SignedIn } from './require-session.ts'

/** Throws WRONG_PASSWORD, WRONG_CODE, TOO_MANY_REQUESTS; CONFIRM_PASSWORD where only another sign-in confirms. */
export async function confirmPassword(
  ctx: Context,
  { userId, sessionId }: SignedIn,
  input: { password?: string | undefined; code?: string | undefined; address: string },
): Promise<void> {
  const user = await findUser(ctx.db, userId)
  if (user === null) throw unauthenticated()
  const way = await wayToConfirm(ctx, user)
  switch (way) {
    case 'password':
      await provePassword(ctx, user, { password: input.password, field: 'password', address: input.address })
      break
    case 'two-factor':
      await showSecondFactor(ctx, { userId, code: input.code ?? '', address: input.address })
      break
    case 'sign-in':
      throw confirmIdentity(way)
    default:
      way satisfies never
  }
  await confirmSession(ctx.db, { sessionId, now: ctx.clock.now() })
  logAccountEvent(ctx, { event: 'identity-confirmed', userId, address: input.address })
}
