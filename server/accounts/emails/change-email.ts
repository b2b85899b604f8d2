import { showPassword } from '#server/accounts/passwords/show-password.ts'
import { requireConfirmed } from '#server/accounts/sessions/require-confirmed.ts'
import type { SignedIn } from '#server/accounts/sessions/require-session.ts'
import { findUser } from '#server/accounts/users/queries.ts'
import type { Context } from '#server/context.ts'
import { unauthenticated } from '#server/errors.ts'
import { renewEmailCode, replaceEmailCode } from './queries.ts'
import { sendEmailCode } from './send-code.ts'

/**
 * Begins a change of address: mails a code to the new one, for whoever shows the password; an account of a social
 * sign-in has none, and is confirmed otherwise. Throws WRONG_PASSWORD, CONFIRM_PASSWORD, TOO_MANY_REQUESTS.
 */
export async function changeEmail(
  ctx: Context,
  signedIn: SignedIn,
  input: { email: string; password?: string | undefined; address: string },
): Promise<void> {
  const email = input.email.toLowerCase()
  const user = await findUser(ctx.db, signedIn.userId)
  if (user === null) throw unauthenticated()
  if (user.password_hash === null) await requireConfirmed(ctx, signedIn)
  await showPassword(ctx, user, { password: input.password, field: 'password', address: input.address })
  await sendEmailCode(ctx, user, { email, address: input.address, store: replaceEmailCode })
}

/**
 * Mails a new code to the address that waits for one, at most one in 60 s; for any other nothing is sent and nothing is
 * said. An account with neither address nor password begins with it. Throws TOO_MANY_REQUESTS,
 * CONFIRM_PASSWORD.
 */
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
