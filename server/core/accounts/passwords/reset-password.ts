import type { z } from 'zod'
import type { resetPasswordInputSchema, WaysLeft } from '#contract/account.ts'
import { limitGuesses } from '#server/core/accounts/codes/guess-rate-limit.ts'
import { closeSockets } from '#server/core/accounts/sessions/end-session.ts'
import { revokeSessionsOf } from '#server/core/accounts/sessions/queries.ts'
import { logAccountEvent } from '#server/core/accounts/users/log-account-event.ts'
import { hashPassword } from '#server/core/accounts/users/password.ts'
import type { Context } from '#server/house/context.ts'
import type { Db } from '#server/house/db/pool.ts'
import { transaction } from '#server/house/db/transaction.ts'
import { tokenExpired } from '#server/house/errors/errors.ts'
import type { Caller } from '#server/house/http/caller.ts'
import { checkNewPassword } from './check-new-password.ts'
import { afterNewPassword } from './new-password.ts'
import { isResetGood, setPasswordByMail, spendReset } from './queries.ts'
import { hashResetToken } from './reset-token.ts'

/**
 * Sets a new password by a reset link. Ends all sessions and signs nobody in. Throws INVALID_INPUT, TOKEN_EXPIRED,
 * TOO_MANY_REQUESTS.
 */
export async function resetPassword(
  ctx: Context,
  caller: Caller,
  input: z.output<typeof resetPasswordInputSchema>,
): Promise<WaysLeft> {
  const email = input.email.toLowerCase()
  await checkNewPassword(ctx, { ...input, email })
  await limitGuesses(ctx, { address: caller.address, account: email })
  const link = { email, tokenHash: hashResetToken(input.token), now: ctx.clock.now() }
  // A check before hashing saves a hash for an invalid link; `spendReset` checks the link again.
  if (!(await isResetGood(ctx.db, link))) throw tokenExpired()
  // The holder of a reset link has proved more than a visitor, so the hash is queued apart from those of strangers.
  const asker = { key: `reset ${email}`, isKnown: true }
  const passwordHash = await hashPassword(ctx, asker, input.password)
  const done = await transaction(ctx.db, async (tx) => {
    const userId = await spendReset(tx, link)
    return userId === null ? null : setPassword(ctx, tx, { ...link, userId, passwordHash })
  })
  if (done === null) throw tokenExpired()
  closeSockets(ctx, done.ended)
  logAccountEvent(ctx, { event: 'password-reset', userId: done.userId, address: caller.address })
  return done.left
}

type Done = { userId: number; ended: bigint[]; left: WaysLeft }

async function setPassword(
  ctx: Context,
  tx: Db,
  input: { userId: number; email: string; passwordHash: string; now: Date },
): Promise<Done | null> {
  const person = await setPasswordByMail(tx, input)
  if (person === null) return null
  const { userId, now } = input
  const ended = await revokeSessionsOf(tx, { userId, keep: null, now })
  return { userId, ended, left: await afterNewPassword(ctx, tx, { ...person, userId, isReset: true }) }
}
