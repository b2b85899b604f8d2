import { type CodeTimes, codeTimes, hashCode, makeCode } from '#server/core/accounts/codes/code.ts'
import { reserveMail, withMailSlot } from '#server/core/accounts/codes/mail-rate-limit.ts'
import { provePassword } from '#server/core/accounts/passwords/prove-password.ts'
import type { SignedIn } from '#server/core/accounts/sessions/require-session.ts'
import { findUser, findUserByEmail, type UserRow } from '#server/core/accounts/users/queries.ts'
import { requireConfirmed } from '#server/core/accounts/ways-in/require-confirmed.ts'
import type { Context } from '#server/house/context.ts'
import type { Db } from '#server/house/db/pool.ts'
import { transaction } from '#server/house/db/transaction.ts'
import { unauthenticated } from '#server/house/errors/errors.ts'
import { queueMail } from '#server/house/mail/queue-mail.ts'
import { renewEmailCode, replaceEmailCode } from './queries.ts'

/**
 * Starts a change of the user's e-mail address. Throws WRONG_PASSWORD, TOO_MANY_REQUESTS, and CONFIRM_PASSWORD for an
 * account without a password.
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
  await provePassword(ctx, user, { password: input.password, field: 'password', address: input.address })
  await sendEmailCode(ctx, user, { email, address: input.address, store: replaceEmailCode })
}

/**
 * Mails a new code for a new e-mail address. Sends nothing if the address is not pending or got a code within 60 s.
 * Throws TOO_MANY_REQUESTS, CONFIRM_PASSWORD.
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

type StoreCode = (
  tx: Db,
  code: { userId: number; email: string; codeHash: Buffer; times: CodeTimes },
) => Promise<boolean>

/**
 * Mails a code for a new address. A code for another account's address is stored but not mailed, so that the caller
 * does not learn of that account. Throws TOO_MANY_REQUESTS.
 */
async function sendEmailCode(
  ctx: Context,
  user: Pick<UserRow, 'id' | 'locale'>,
  input: { email: string; address: string; store: StoreCode },
): Promise<void> {
  const { email, address } = input
  const slot = await reserveMail(ctx, { address, email, purpose: 'link-email' })
  if (slot === null) return
  const code = makeCode(ctx)
  const codeHash = hashCode(ctx, { purpose: 'link-email', email, code })
  const work = () =>
    transaction(ctx.db, async (tx) => {
      const owner = await findUserByEmail(tx, email)
      const isNew = await input.store(tx, { userId: user.id, email, codeHash, times: codeTimes(ctx) })
      if (!isNew) await slot.giveBack()
      if (!isNew || (owner !== null && owner.id !== user.id)) return
      await queueMail(ctx, tx, { to: email, locale: user.locale, mail: { kind: 'link-email', code } })
    })
  await withMailSlot(slot, work)
}
