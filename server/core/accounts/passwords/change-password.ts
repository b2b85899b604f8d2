import type { z } from 'zod'
import type { changePasswordInputSchema, WaysLeft } from '#contract/account.ts'
import { closeSockets } from '#server/core/accounts/sessions/end-session.ts'
import { revokeSessionsOf } from '#server/core/accounts/sessions/queries.ts'
import type { SignedIn } from '#server/core/accounts/sessions/require-session.ts'
import { logAccountEvent } from '#server/core/accounts/users/log-account-event.ts'
import { hashPassword } from '#server/core/accounts/users/password.ts'
import { findUser, type UserRow } from '#server/core/accounts/users/queries.ts'
import { requireConfirmed } from '#server/core/accounts/ways-in/require-confirmed.ts'
import type { Context } from '#server/house/context.ts'
import { transaction } from '#server/house/db/transaction.ts'
import { AppError, type FieldErrors, unauthenticated, wrongPassword } from '#server/house/errors/errors.ts'
import { networkOf } from '#server/house/http/door/network-of.ts'
import { askerOf } from '#server/house/limits/fair-queue.ts'
import { checkNewPassword, newPasswordErrors } from './check-new-password.ts'
import { afterNewPassword } from './new-password.ts'
import { provePassword } from './prove-password.ts'
import { changePasswordHash } from './queries.ts'

const FIELD = 'current_password'

/**
 * Changes the password, and ends all other sessions and all reset links. Throws INVALID_INPUT, WRONG_PASSWORD,
 * TOO_MANY_REQUESTS, and CONFIRM_PASSWORD for a first password.
 */
export async function changePassword(
  ctx: Context,
  signedIn: SignedIn,
  input: z.output<typeof changePasswordInputSchema> & { address: string },
): Promise<WaysLeft> {
  const { userId, sessionId } = signedIn
  const user = await findUser(ctx.db, userId)
  if (user === null) throw unauthenticated()
  if (user.password_hash === null) await requireConfirmed(ctx, signedIn)
  const wrong = await currentPasswordErrors(ctx, user, input)
  await checkNewPassword(ctx, { ...input, email: user.email }, wrong)
  const to = await hashPassword(ctx, askerOf(userId, networkOf(input.address)), input.password)
  const { ended, left } = await transaction(ctx.db, async (tx) => {
    // If two password changes run concurrently, the second one proved a password that is no longer valid.
    if (!(await changePasswordHash(tx, { userId, from: user.password_hash, to }))) throw wrongPassword(FIELD)
    const sessions = await revokeSessionsOf(tx, { userId, keep: sessionId, now: ctx.clock.now() })
    return { ended: sessions, left: await afterNewPassword(ctx, tx, { ...user, userId, isReset: false }) }
  })
  closeSockets(ctx, ended)
  logAccountEvent(ctx, { event: 'password-changed', userId, address: input.address })
  return left
}

async function currentPasswordErrors(
  ctx: Context,
  user: UserRow,
  input: { current_password?: string | undefined; address: string } & Parameters<typeof newPasswordErrors>[0],
): Promise<FieldErrors> {
  try {
    await provePassword(ctx, user, { password: input.current_password, field: FIELD, address: input.address })
    return {}
  } catch (error) {
    const alone = Object.keys(newPasswordErrors({ ...input, email: user.email })).length === 0
    if (alone || !(error instanceof AppError) || error.errors === undefined) throw error
    return error.errors
  }
}
