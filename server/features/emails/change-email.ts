import type { Context } from '#server/context.ts'
import { unauthenticated } from '#server/errors.ts'
import { showPassword } from '#server/features/passwords/show-password.ts'
import type { SignedIn } from '#server/features/sessions/require-session.ts'
import { findUser } from '#server/features/users/queries.ts'
import { takeMailTurn } from './mail-turn.ts'
import { renewEmailCode, replaceEmailCode } from './queries.ts'
import { sendEmailCode } from './send-code.ts'

/**
 * Begins a change of address: mails a code to the new one, for whoever shows the password (an account of a social
 * sign-in has none to show). Throws WRONG_PASSWORD, TOO_MANY_REQUESTS.
 */
export async function changeEmail(
  ctx: Context,
  { userId }: SignedIn,
  input: { email: string; password?: string | undefined; address: string },
): Promise<void> {
  const email = input.email.toLowerCase()
  const user = await findUser(ctx.db, userId)
  if (user === null) throw unauthenticated()
  await showPassword(ctx, user, { password: input.password, field: 'password', address: input.address })
  takeMailTurn(ctx, { address: input.address, email })
  await sendEmailCode(ctx, user, { email, store: replaceEmailCode })
}

/**
 * Mails a new code to the address that waits for one, at most one in 60 s; for any other nothing is sent and nothing is
 * said. An account with neither address nor password begins with it. Throws TOO_MANY_REQUESTS.
 */
export async function resendEmailCode(
  ctx: Context,
  { userId }: SignedIn,
  input: { email: string; address: string },
): Promise<void> {
  const email = input.email.toLowerCase()
  const user = await findUser(ctx.db, userId)
  if (user === null) throw unauthenticated()
  takeMailTurn(ctx, { address: input.address, email })
  const mayBegin = user.email === null && user.password_hash === null
  await sendEmailCode(ctx, user, { email, store: mayBegin ? replaceEmailCode : renewEmailCode })
}
