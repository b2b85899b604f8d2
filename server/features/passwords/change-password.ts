import type { z } from 'zod'
import type { changePasswordInputSchema } from '#contract/account.ts'
import type { Context } from '#server/context.ts'
import { transaction } from '#server/db/transaction.ts'
import { unauthenticated, wrongPassword } from '#server/errors.ts'
import { closeSockets } from '#server/features/sessions/end-session.ts'
import { revokeSessionsOf } from '#server/features/sessions/queries.ts'
import type { SignedIn } from '#server/features/sessions/require-session.ts'
import { hashPassword } from '#server/features/users/password.ts'
import { findUser } from '#server/features/users/queries.ts'
import { queueMail } from '#server/mail/queue-mail.ts'
import { checkNewPassword } from './check-new-password.ts'
import { changePasswordHash, deleteResets } from './queries.ts'
import { showPassword } from './show-password.ts'

const FIELD = 'current_password'

/**
 * Changes the password of somebody who is signed in and shows the current one, or sets the first. Every other session
 * ends, and links that were mailed before are dead. Throws INVALID_INPUT, WRONG_PASSWORD, TOO_MANY_REQUESTS.
 */
export async function changePassword(
  ctx: Context,
  { userId, sessionId }: SignedIn,
  input: z.output<typeof changePasswordInputSchema> & { address: string },
): Promise<void> {
  const user = await findUser(ctx.db, userId)
  if (user === null) throw unauthenticated()
  checkNewPassword({ ...input, email: user.email })
  await showPassword(ctx, user, { password: input.current_password, field: FIELD, address: input.address })
  const to = await hashPassword(input.password)
  const ended = await transaction(ctx.db, async (tx) => {
    // Of two changes at once the second showed a password that is none any more.
    if (!(await changePasswordHash(tx, { userId, from: user.password_hash, to }))) throw wrongPassword(FIELD)
    await deleteResets(tx, userId)
    if (user.email !== null) {
      await queueMail(ctx, tx, { to: user.email, locale: user.locale, mail: { kind: 'password-changed' } })
    }
    return revokeSessionsOf(tx, { userId, keep: sessionId, now: ctx.clock.now() })
  })
  closeSockets(ctx, ended)
}
