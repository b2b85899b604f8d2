import { provePassword } from '#server/core/accounts/passwords/prove-password.ts'
import type { SignedIn } from '#server/core/accounts/sessions/require-session.ts'
import { findUser } from '#server/core/accounts/users/queries.ts'
import { requireConfirmed } from '#server/core/accounts/ways-in/require-confirmed.ts'
import type { Context } from '#server/house/context.ts'
import { unauthenticated } from '#server/house/errors/errors.ts'
import { renewEmailCode, replaceEmailCode } from './queries.ts'
import { sendEmailCode } from './send-code.ts'

/** Throws WRONG_PASSWORD, TOO_MANY_REQUESTS, and CONFIRM_PASSWORD for an account without a password. */
export async function changeEmail(
  ctx: Context,
  signedIn: SignedIn,
  input: { email: string; password?: string | undefined; address: string },
): Promise<void> {
  const email = input.email.toLowerCase()
  const user = await findUser(ctx.db, signedIn.userId)
  if (user === null) throw unauthenticated()
  if (user.password_hash === null) await requireConfirmed(ctx, signedIn)
  await provePassword(ctx, user, { password: input.password, field: 'password', address: input.address })
  await sendEmailCode(ctx, user, { email, address: input.address, store: replaceEmailCode })
}

/** A code for an address not pending, or within 60 s, is not sent. Throws TOO_MANY_REQUESTS, CONFIRM_PASSWORD. */
export async function resendEmailCode(
  ctx: Context,
  signedIn: SignedIn,
  input: { email: string; address: string },
): Promise<void> {
  const email = input.email.toLowerCase()
  const user = await findUser(ctx.db, signedIn.userId)
  if (user === null) throw unauthenticated()
  const mayBegin = user.email === null && user.password_hash === null
  if (mayBegin) await requireConfirmed(ctx, signedIn)
  const store = mayBegin ? replaceEmailCode : renewEmailCode
  await sendEmailCode(ctx, user, { email, address: input.address, store })
}
