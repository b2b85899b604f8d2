import type { Locale } from '#contract/constants.ts'
import { findUserByEmail } from '#server/core/accounts/users/queries.ts'
import type { Context } from '#server/house/context.ts'
import type { Db } from '#server/house/db/pool.ts'
import { queueMail } from '#server/house/mail/queue-mail.ts'

/**
 * Mails a registration code. If the address has an account, mails its owner that it is already registered instead.
 * Timing reveals nothing, because one mail is queued in either case.
 */
export async function mailCode(
  ctx: Context,
  tx: Db,
  input: { email: string; code: string; locale: Locale },
): Promise<void> {
  const owner = await findUserByEmail(tx, input.email)
  if (owner === null) {
    const mail = { kind: 'verify-email' as const, code: input.code }
    await queueMail(ctx, tx, { to: input.email, locale: input.locale, mail })
  } else {
    const to = owner.email ?? input.email
    await queueMail(ctx, tx, { to, locale: owner.locale, mail: { kind: 'already-registered' } })
  }
}
