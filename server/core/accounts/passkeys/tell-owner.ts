import type { Mail } from '#contract/mails.ts'
import { findUser } from '#server/core/accounts/users/queries.ts'
import type { Context } from '#server/house/context.ts'
import type { Db } from '#server/house/db/pool.ts'
import { queueMail } from '#server/house/mail/queue-mail.ts'

type News = Extract<Mail, { kind: 'passkey-added' | 'passkey-removed' }>

export async function tellOwner(ctx: Context, tx: Db, userId: number, mail: News): Promise<void> {
  const user = await findUser(tx, userId)
  if (user === null || user.email === null) return
  await queueMail(ctx, tx, { to: user.email, locale: user.locale, mail })
}
