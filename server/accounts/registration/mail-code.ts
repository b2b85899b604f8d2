import type { Locale } from '#contract/constants.ts'
import { findUserByEmail } from '#server/accounts/users/queries.ts'
import type { Context } from '#server/context.ts'
import type { Db } from '#server/db/pool.ts'
import { queueMail } from '#server/mail/queue-mail.ts'

/**
 * Mails the code; to the owner of an account it says instead that he has one. Either way one mail is sent, so that
 * nobody can tell the two apart by waiting for the answer.
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
