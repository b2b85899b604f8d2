import type { z } from 'zod'
import type { Provider, resetPasswordInputSchema } from '#contract/account.ts'
import { limitGuesses } from '#server/accounts/codes/guess-rate-limit.ts'
import { logAccountEvent } from '#server/accounts/security/log-account-event.ts'
import { closeSockets } from '#server/accounts/sessions/end-session.ts'
import { revokeSessionsOf } from '#server/accounts/sessions/queries.ts'
import { listIdentities } from '#server/accounts/social/queries.ts'
import { hashPassword } from '#server/accounts/users/password.ts'
import type { Context } from '#server/context.ts'
import type { Db } from '#server/db/pool.ts'
import { transaction } from '#server/db/transaction.ts'
import { tokenExpired } from '#server/errors.ts'
import type { Caller } from '#server/http/caller.ts'
import { queueMail } from '#server/mail/queue-mail.ts'
import { checkNewPassword } from './check-new-password.ts'
import { deleteResets, isResetGood, setPasswordByMail, spendReset } from './queries.ts'
import { hashResetToken } from './reset-token.ts'

/**
 * Sets the password by a mailed link, once, and ends every session. It signs nobody in: a second factor stays what it
 * was, and so do linked profiles, which it returns. Throws INVALID_INPUT, TOKEN_EXPIRED, TOO_MANY_REQUESTS.
 */
export async function resetPassword(
  ctx: Context,
  caller: Caller,
  input: z.output<typeof resetPasswordInputSchema>,
): Promise<Provider[]> {
  const email = input.email.toLowerCase()
  await checkNewPassword(ctx, { ...input, email })
  limitGuesses(ctx, { address: caller.address, account: email })
  const link = { email, tokenHash: hashResetToken(input.token), now: ctx.clock.now() }
  // Looked at first so that a made-up link costs no hash; what counts is that it is spent below.
  if (!(await isResetGood(ctx.db, link))) throw tokenExpired()
  // Whoever holds the link has shown more than any visitor: it is not made to wait with them.
  const asker = { key: `reset ${email}`, isKnown: true }
  const passwordHash = await hashPassword(ctx, asker, input.password)
  const done = await transaction(ctx.db, async (tx) => {
    const userId = await spendReset(tx, link)
    return userId === null ? null : setPassword(ctx, tx, { ...link, userId, passwordHash })
  })
  if (done === null) throw tokenExpired()
  closeSockets(ctx, done.ended)
  logAccountEvent(ctx, { event: 'password-reset', userId: done.userId, address: caller.address })
  return done.linked
}

type Done = { userId: number; ended: bigint[]; linked: Provider[] }

/** Returns the sessions that ended and the profiles that stay; null when the address is not this person's any more, or he is blocked. */
async function setPassword(
  ctx: Context,
  tx: Db,
  input: { userId: number; email: string; passwordHash: string; now: Date },
): Promise<Done | null> {
  const person = await setPasswordByMail(tx, input)
  if (person === null) return null
  await deleteResets(tx, input.userId)
  const { userId, now } = input
  const linked = (await listIdentities(tx, userId)).map(({ provider }) => provider)
  await queueMail(ctx, tx, { to: person.email, locale: person.locale, mail: { kind: 'password-changed', linked } })
  return { userId, linked, ended: await revokeSessionsOf(tx, { userId, keep: null, now }) }
}
