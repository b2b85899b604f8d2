import { hashCode, isSameHash } from '#server/core/accounts/codes/code.ts'
import { limitGuesses } from '#server/core/accounts/codes/guess-rate-limit.ts'
import { keepGuest } from '#server/core/accounts/guests/keep-guest.ts'
import { deleteResets } from '#server/core/accounts/passwords/queries.ts'
import type { SignedIn } from '#server/core/accounts/sessions/require-session.ts'
import { logAccountEvent } from '#server/core/accounts/users/log-account-event.ts'
import type { Context } from '#server/house/context.ts'
import type { Db } from '#server/house/db/pool.ts'
import { transaction } from '#server/house/db/transaction.ts'
import { codeExpired, wrongCode } from '#server/house/errors/errors.ts'
import { queueMail } from '#server/house/mail/queue-mail.ts'
import { deleteEmailCode, setEmail, takeEmailTry } from './queries.ts'

/**
 * Changes the e-mail address after a right code. Throws WRONG_CODE, TOO_MANY_REQUESTS, and CODE_EXPIRED, also if
 * another account took the address meanwhile.
 */
export async function linkEmail(
  ctx: Context,
  { userId }: SignedIn,
  input: { email: string; code: string; address: string },
): Promise<void> {
  const email = input.email.toLowerCase()
  await limitGuesses(ctx, { address: input.address, account: `${userId}` })
  // The transaction returns failures, because a throw would roll back the counted try.
  const outcome = await transaction(ctx.db, (tx) => tryCode(ctx, tx, { userId, email, code: input.code }))
  switch (outcome) {
    case 'linked':
      logAccountEvent(ctx, { event: 'email-changed', userId, address: input.address })
      return
    case 'wrong':
      throw wrongCode()
    case 'taken':
      // Another account took the address after the code was sent. The unique violation has aborted the transaction.
      await deleteEmailCode(ctx.db, userId)
      throw codeExpired()
    case 'expired':
      throw codeExpired()
  }
}

async function tryCode(
  ctx: Context,
  tx: Db,
  input: { userId: number; email: string; code: string },
): Promise<'linked' | 'wrong' | 'taken' | 'expired'> {
  const { userId, email, code } = input
  const now = ctx.clock.now()
  const stored = await takeEmailTry(tx, { userId, email, now })
  if (stored === null) return 'expired'
  if (!isSameHash(stored, hashCode(ctx, { purpose: 'link-email', email, code }))) return 'wrong'
  await keepGuest(tx, { userId, now })
  const changed = await setEmail(tx, { userId, email, now })
  if (changed === 'taken') return 'taken'
  await deleteEmailCode(tx, userId)
  await deleteResets(tx, userId)
  const to = changed?.before ?? null
  if (changed !== null && to !== null && to.toLowerCase() !== email) {
    await queueMail(ctx, tx, { to, locale: changed.locale, mail: { kind: 'email-changed', newEmail: email } })
  }
  return 'linked'
}
